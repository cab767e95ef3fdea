/** Waits, what stretches tell of their quality, and what their views tell of it. */

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
  ADD COLUMN IF NOT EXISTS streamType LowCardinality(String) ALIAS substring(toldStreamType, 2) AFTER label10,
  ADD COLUMN IF NOT EXISTS connection LowCardinality(String) ALIAS substring(toldConnection, 2) AFTER streamType,
  ADD COLUMN IF NOT EXISTS quality LowCardinality(String) ALIAS substring(toldQuality, 2) AFTER connection,
  ADD COLUMN IF NOT EXISTS mediaHost LowCardinality(String) ALIAS substring(toldMediaHost, 2) AFTER viewer,
  ADD COLUMN IF NOT EXISTS error LowCardinality(String) ALIAS substring(toldError, 2) AFTER mediaHost`,
    `ALTER TABLE irregular_fact
  ADD COLUMN IF NOT EXISTS streamType SimpleAggregateFunction(max, LowCardinality(String)) AFTER label10,
  ADD COLUMN IF NOT EXISTS connection SimpleAggregateFunction(max, LowCardinality(String)) AFTER streamType,
  ADD COLUMN IF NOT EXISTS quality SimpleAggregateFunction(max, LowCardinality(String)) AFTER connection`,
    `ALTER TABLE audience_day MODIFY COLUMN grouping Enum8('total' = 1, 'hour' = 2, 'split' = 8, 'package' = 3, 'video' = 4, 'os' = 5, 'osVersion' = 6, 'viewerKind' = 7, 'country' = 20, 'device' = 21, 'browser' = 22, 'browserVersion' = 23, 'host' = 24, 'page' = 25, 'referrer' = 26, 'player' = 27, 'label1' = 28, 'label2' = 29, 'label3' = 30, 'label4' = 31, 'label5' = 32, 'label6' = 33, 'label7' = 34, 'label8' = 35, 'label9' = 36, 'label10' = 37, 'streamType' = 38, 'connection' = 39, 'quality' = 40)`,
    // Days counted before lack the new groupings; without their totals they are counted again.
    `ALTER TABLE audience_day DELETE WHERE grouping = 'total' SETTINGS mutations_sync = 2`,
  ],
};
