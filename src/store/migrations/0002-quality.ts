/** Waits, what stretches tell of their quality, and what their views tell of it. */

import { durable } from './0001-first-tables.ts';

/** The engine resolved them all wherever a statement names the table, a millisecond each time. */
const aliases = [
  ...['os', 'osVersion', 'country', 'device', 'browser', 'browserVersion', 'host', 'page'],
  ...['referrer', 'player', 'label1', 'label2', 'label3', 'label4', 'label5', 'label6'],
  ...['label7', 'label8', 'label9', 'label10', 'viewer'],
];

export const quality = {
  name: '0002-quality',
  statements: [
    `ALTER TABLE stretch
  ADD COLUMN IF NOT EXISTS toldStreamType SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD) AFTER toldLabel10,
  ADD COLUMN IF NOT EXISTS toldConnection SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD) AFTER toldStreamType,
  ADD COLUMN IF NOT EXISTS toldQuality SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD) AFTER toldConnection,
  ADD COLUMN IF NOT EXISTS waitMs SimpleAggregateFunction(max, UInt32) CODEC(T64, ZSTD) AFTER leastSystem,
  ADD COLUMN IF NOT EXISTS cause SimpleAggregateFunction(max, UInt8) CODEC(T64, ZSTD) AFTER waitMs,
  ADD COLUMN IF NOT EXISTS outcome SimpleAggregateFunction(max, UInt8) CODEC(T64, ZSTD) AFTER cause,
  ADD COLUMN IF NOT EXISTS mediaBits SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD) AFTER outcome,
  ADD COLUMN IF NOT EXISTS frames SimpleAggregateFunction(max, UInt32) CODEC(T64, ZSTD) AFTER mediaBits,
  ADD COLUMN IF NOT EXISTS droppedFrames SimpleAggregateFunction(max, UInt32) CODEC(T64, ZSTD) AFTER frames,
  ADD COLUMN IF NOT EXISTS toldMediaHost SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD) AFTER droppedFrames,
  ADD COLUMN IF NOT EXISTS toldError SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD) AFTER toldMediaHost,
  MODIFY COLUMN position SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD),
  ${aliases.map((name) => `DROP COLUMN IF EXISTS ${name}`).join(',\n  ')}`,
    `ALTER TABLE irregular_fact
  ADD COLUMN IF NOT EXISTS streamType SimpleAggregateFunction(max, LowCardinality(String)) AFTER label10,
  ADD COLUMN IF NOT EXISTS connection SimpleAggregateFunction(max, LowCardinality(String)) AFTER streamType,
  ADD COLUMN IF NOT EXISTS quality SimpleAggregateFunction(max, LowCardinality(String)) AFTER connection,
  ADD COLUMN IF NOT EXISTS mediaHost SimpleAggregateFunction(max, LowCardinality(String)) AFTER viewer,
  ADD COLUMN IF NOT EXISTS error SimpleAggregateFunction(max, LowCardinality(String)) AFTER mediaHost,
  ADD COLUMN IF NOT EXISTS cause SimpleAggregateFunction(max, UInt8) AFTER error,
  ADD COLUMN IF NOT EXISTS outcome SimpleAggregateFunction(max, UInt8) AFTER cause,
  ADD COLUMN IF NOT EXISTS hasPlayback SimpleAggregateFunction(max, UInt8) AFTER outcome`,
    `ALTER TABLE audience_day MODIFY COLUMN grouping Enum8('total' = 1, 'hour' = 2, 'split' = 8, 'package' = 3, 'video' = 4, 'os' = 5, 'osVersion' = 6, 'viewerKind' = 7, 'country' = 20, 'device' = 21, 'browser' = 22, 'browserVersion' = 23, 'host' = 24, 'page' = 25, 'referrer' = 26, 'player' = 27, 'label1' = 28, 'label2' = 29, 'label3' = 30, 'label4' = 31, 'label5' = 32, 'label6' = 33, 'label7' = 34, 'label8' = 35, 'label9' = 36, 'label10' = 37, 'streamType' = 38, 'connection' = 39, 'quality' = 40, 'mediaHost' = 41, 'error' = 42)`,
    `ALTER TABLE audience_day
  ADD COLUMN IF NOT EXISTS waits SimpleAggregateFunction(max, UInt64) AFTER viewers,
  ADD COLUMN IF NOT EXISTS viewsInRange SimpleAggregateFunction(max, UInt64) AFTER waits,
  ADD COLUMN IF NOT EXISTS qualityViews SimpleAggregateFunction(max, UInt64) AFTER viewsInRange,
  ADD COLUMN IF NOT EXISTS failures SimpleAggregateFunction(max, UInt64) AFTER qualityViews,
  ADD COLUMN IF NOT EXISTS stalledViews SimpleAggregateFunction(max, UInt64) AFTER failures,
  ADD COLUMN IF NOT EXISTS attempts SimpleAggregateFunction(max, UInt64) AFTER stalledViews,
  ADD COLUMN IF NOT EXISTS starts SimpleAggregateFunction(max, UInt64) AFTER attempts,
  ADD COLUMN IF NOT EXISTS exitsBeforeStart SimpleAggregateFunction(max, UInt64) AFTER starts,
  ADD COLUMN IF NOT EXISTS startFailures SimpleAggregateFunction(max, UInt64) AFTER exitsBeforeStart,
  ADD COLUMN IF NOT EXISTS allStartupMs SimpleAggregateFunction(max, UInt64) AFTER startFailures,
  ADD COLUMN IF NOT EXISTS stalls SimpleAggregateFunction(max, UInt64) AFTER allStartupMs,
  ADD COLUMN IF NOT EXISTS stallMs SimpleAggregateFunction(max, UInt64) AFTER stalls,
  ADD COLUMN IF NOT EXISTS seeks SimpleAggregateFunction(max, UInt64) AFTER stallMs,
  ADD COLUMN IF NOT EXISTS allSeekMs SimpleAggregateFunction(max, UInt64) AFTER seeks,
  ADD COLUMN IF NOT EXISTS qualityPlayMs SimpleAggregateFunction(max, UInt64) AFTER allSeekMs,
  ADD COLUMN IF NOT EXISTS watchedMs SimpleAggregateFunction(max, UInt64) AFTER qualityPlayMs,
  ADD COLUMN IF NOT EXISTS mediaBits SimpleAggregateFunction(max, UInt64) AFTER watchedMs,
  ADD COLUMN IF NOT EXISTS bitsMediaMs SimpleAggregateFunction(max, UInt64) AFTER mediaBits,
  ADD COLUMN IF NOT EXISTS frames SimpleAggregateFunction(max, UInt64) AFTER bitsMediaMs,
  ADD COLUMN IF NOT EXISTS droppedFrames SimpleAggregateFunction(max, UInt64) AFTER frames`,
    // Days counted before lack all of this: they are counted again.
    'DROP TABLE IF EXISTS audience_seen SYNC SETTINGS max_table_size_to_drop = 0',
    `CREATE TABLE IF NOT EXISTS audience_seen (
  accountId UInt32,
  videoId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  countedAt DateTime64(3, 'UTC'),
  packageId UInt32,
  view UUID,
  portion UInt32,
  views SimpleAggregateFunction(max, UInt32),
  positionedViews SimpleAggregateFunction(max, UInt32),
  isFirst SimpleAggregateFunction(any, Array(UInt8)) CODEC(ZSTD),
  fromMs SimpleAggregateFunction(any, Array(UInt64)) CODEC(Delta, ZSTD),
  rangeMs SimpleAggregateFunction(any, Array(UInt64)) CODEC(T64, ZSTD),
  extraAtMs SimpleAggregateFunction(any, Array(UInt64)) CODEC(Delta, ZSTD),
  extra SimpleAggregateFunction(any, Array(Int64)) CODEC(T64, ZSTD),
  playMs SimpleAggregateFunction(any, Array(UInt64)) CODEC(Delta, ZSTD),
  stallMs SimpleAggregateFunction(any, Array(UInt64)) CODEC(Delta, ZSTD),
  bitrate SimpleAggregateFunction(any, Array(UInt64)) CODEC(Delta, ZSTD),
  mediaBits SimpleAggregateFunction(max, UInt64),
  bitsMediaMs SimpleAggregateFunction(max, UInt64),
  viewHashes SimpleAggregateFunction(any, Array(UInt32)) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, videoId, view, slot, countedAt, packageId, portion)
SETTINGS index_granularity = 32, ${durable}`,
    ...['audience_day', 'irregular_fact'].map(
      (table) => `ALTER TABLE ${table} DELETE WHERE true SETTINGS mutations_sync = 2`,
    ),
  ],
};
