/** The tables of release 0.2.0: never changed, only followed by other migrations. */

export const durable = `fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  old_parts_lifetime = 480`;

export const firstTables = {
  name: '0001-first-tables',
  statements: [
    String.raw`CREATE TABLE IF NOT EXISTS stretch (
  accountId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  packageId UInt32 CODEC(T64, ZSTD),
  videoId UInt32 CODEC(T64, ZSTD),
  view UUID CODEC(ZSTD),
  stretch UInt32 CODEC(T64, ZSTD),
  startMs UInt64 CODEC(Delta, ZSTD),
  suspect String CODEC(ZSTD),
  plays SimpleAggregateFunction(max, UInt8) CODEC(T64, ZSTD),
  playMs SimpleAggregateFunction(max, UInt32) CODEC(T64, ZSTD),
  ceiling SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
  laterMs SimpleAggregateFunction(max, UInt32) CODEC(ZSTD),
  position SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD),
  mediaMs SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD),
  toldViewer SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
  toldSystem SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldCountry SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldDevice SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldBrowser SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldPage SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldReferrer SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldPlayer SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel1 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel2 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel3 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel4 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel5 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel6 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel7 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel8 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel9 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  toldLabel10 SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD),
  leastSystem SimpleAggregateFunction(min, LowCardinality(String)) DEFAULT toldSystem CODEC(ZSTD),
  os LowCardinality(String) ALIAS replaceRegexpOne(substringIndex(substring(toldSystem, 2), '\n', 1), '^$', 'Unknown'),
  osVersion LowCardinality(String) ALIAS replaceRegexpOne(substringIndex(toldSystem, '\n', -1), '^$', 'Unknown'),
  country LowCardinality(String) ALIAS substring(toldCountry, 2),
  device LowCardinality(String) ALIAS substring(toldDevice, 2),
  browser LowCardinality(String) ALIAS substringIndex(substring(toldBrowser, 2), '\n', 1),
  browserVersion LowCardinality(String) ALIAS substringIndex(toldBrowser, '\n', -1),
  host LowCardinality(String) ALIAS substringIndex(substring(toldPage, 2), '\n', 1),
  page LowCardinality(String) ALIAS substringIndex(toldPage, '\n', -1),
  referrer LowCardinality(String) ALIAS substring(toldReferrer, 2),
  player LowCardinality(String) ALIAS substring(toldPlayer, 2),
  label1 LowCardinality(String) ALIAS substring(toldLabel1, 2),
  label2 LowCardinality(String) ALIAS substring(toldLabel2, 2),
  label3 LowCardinality(String) ALIAS substring(toldLabel3, 2),
  label4 LowCardinality(String) ALIAS substring(toldLabel4, 2),
  label5 LowCardinality(String) ALIAS substring(toldLabel5, 2),
  label6 LowCardinality(String) ALIAS substring(toldLabel6, 2),
  label7 LowCardinality(String) ALIAS substring(toldLabel7, 2),
  label8 LowCardinality(String) ALIAS substring(toldLabel8, 2),
  label9 LowCardinality(String) ALIAS substring(toldLabel9, 2),
  label10 LowCardinality(String) ALIAS substring(toldLabel10, 2),
  viewer UInt64 ALIAS multiIf(bitShiftRight(toldViewer, 62) = 3, toUInt64(0),
    bitShiftRight(toldViewer, 62) = 2, bitAnd(toldViewer, 16140901064495857663), toldViewer)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
PRIMARY KEY (accountId, slot, packageId, videoId, view, stretch)
ORDER BY (accountId, slot, packageId, videoId, view, stretch, startMs, suspect)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS touched (
  arrival DateTime64(3, 'UTC') DEFAULT now64(3),
  accountId UInt32,
  slot DateTime('UTC'),
  batch UInt64
) ENGINE = MergeTree
PARTITION BY toDate(arrival)
ORDER BY arrival
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS playback_sum (
  accountId UInt32,
  grouping Enum8('account' = 1, 'account-day' = 10, 'package' = 2, 'package-day' = 11, 'video' = 3, 'video-day' = 12, 'account-os' = 4, 'account-os-day' = 7, 'package-os' = 5, 'package-os-day' = 8, 'video-os' = 6, 'video-os-day' = 9),
  videoId UInt32,
  packageId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  os LowCardinality(String),
  osVersion LowCardinality(String),
  plays SimpleAggregateFunction(max, UInt128) CODEC(ZSTD),
  playMs SimpleAggregateFunction(max, UInt128) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, grouping, videoId, packageId, slot, os, osVersion)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS peak (
  accountId UInt32,
  grouping Enum8('account' = 1, 'package' = 2, 'video' = 3),
  videoId UInt32,
  packageId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  peak SimpleAggregateFunction(max, UInt256) CODEC(ZSTD)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, grouping, videoId, packageId, slot)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS irregular_view (
  accountId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  packageId UInt32,
  videoId UInt32,
  view UUID
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, slot, packageId, videoId, view)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS checked_day (
  accountId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  checkedAt SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  touchedAt SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
ORDER BY (accountId, slot)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS audience_day (
  accountId UInt32,
  grouping Enum8('total' = 1, 'hour' = 2, 'split' = 8, 'package' = 3, 'video' = 4, 'os' = 5, 'osVersion' = 6, 'viewerKind' = 7, 'country' = 20, 'device' = 21, 'browser' = 22, 'browserVersion' = 23, 'host' = 24, 'page' = 25, 'referrer' = 26, 'player' = 27, 'label1' = 28, 'label2' = 29, 'label3' = 30, 'label4' = 31, 'label5' = 32, 'label6' = 33, 'label7' = 34, 'label8' = 35, 'label9' = 36, 'label10' = 37),
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  countedAt DateTime64(3, 'UTC'),
  value LowCardinality(String),
  version LowCardinality(String),
  checkedAt SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  epoch SimpleAggregateFunction(max, UInt32),
  marks SimpleAggregateFunction(max, UInt32),
  plays SimpleAggregateFunction(max, UInt64),
  playMs SimpleAggregateFunction(max, UInt64),
  mediaMs SimpleAggregateFunction(max, UInt64),
  views SimpleAggregateFunction(max, UInt64),
  knownViews SimpleAggregateFunction(max, UInt64),
  namedViews SimpleAggregateFunction(max, UInt64),
  viewers SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, grouping, slot, countedAt, value, version)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS irregular_fact (
  accountId UInt32,
  slot DateTime('UTC') CODEC(Delta, ZSTD),
  countedAt DateTime64(3, 'UTC'),
  packageId UInt32,
  videoId UInt32,
  view UUID,
  about UInt64,
  os SimpleAggregateFunction(max, LowCardinality(String)),
  osVersion SimpleAggregateFunction(max, LowCardinality(String)),
  country SimpleAggregateFunction(max, LowCardinality(String)),
  device SimpleAggregateFunction(max, LowCardinality(String)),
  browser SimpleAggregateFunction(max, LowCardinality(String)),
  browserVersion SimpleAggregateFunction(max, LowCardinality(String)),
  host SimpleAggregateFunction(max, LowCardinality(String)),
  page SimpleAggregateFunction(max, LowCardinality(String)),
  referrer SimpleAggregateFunction(max, LowCardinality(String)),
  player SimpleAggregateFunction(max, LowCardinality(String)),
  label1 SimpleAggregateFunction(max, LowCardinality(String)),
  label2 SimpleAggregateFunction(max, LowCardinality(String)),
  label3 SimpleAggregateFunction(max, LowCardinality(String)),
  label4 SimpleAggregateFunction(max, LowCardinality(String)),
  label5 SimpleAggregateFunction(max, LowCardinality(String)),
  label6 SimpleAggregateFunction(max, LowCardinality(String)),
  label7 SimpleAggregateFunction(max, LowCardinality(String)),
  label8 SimpleAggregateFunction(max, LowCardinality(String)),
  label9 SimpleAggregateFunction(max, LowCardinality(String)),
  label10 SimpleAggregateFunction(max, LowCardinality(String)),
  viewer SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, slot, countedAt, packageId, videoId, view, about)
SETTINGS ${durable}`,
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
  extra SimpleAggregateFunction(any, Array(Int64)) CODEC(T64, ZSTD)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(slot)
ORDER BY (accountId, videoId, slot, countedAt, packageId, view, portion)
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS rolled (
  one UInt8 DEFAULT 1,
  through SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
  daysThrough SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
ORDER BY one
SETTINGS ${durable}`,
    `CREATE TABLE IF NOT EXISTS event (
  accountId UInt32,
  view UUID,
  moment Int64 CODEC(Delta, ZSTD),
  sequence UInt32,
  state Enum8('resting' = 0, 'playing' = 1, 'started' = 2, 'untimed' = 3, 'counted' = 4),
  arrival SimpleAggregateFunction(min, Int64) CODEC(Delta, ZSTD),
  day Date
) ENGINE = AggregatingMergeTree
PARTITION BY day
ORDER BY (accountId, view, moment, sequence, state)
TTL day + toIntervalDay(9)
SETTINGS ttl_only_drop_parts = 1, ${durable}`,
    `CREATE TABLE IF NOT EXISTS ledger (
  accountId UInt32,
  day Date,
  outcome LowCardinality(String),
  run UUID,
  beacons SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree
PARTITION BY toYear(day)
ORDER BY (accountId, day, outcome, run)
SETTINGS ${durable}`,
  ],
};
