/** The history of the facts' tables before facts knew more of the audience; see migrations.ts. */

/**
 * What makes "acknowledged" true. Without any one of these, a power cut loses acknowledged rows or
 * leaves a store that does not open; old parts stay for longer than the kernel's write-back takes.
 */
export const durable = `fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  old_parts_lifetime = 480`;

export interface Migration {
  /** Names sort in the order of the list. */
  readonly name: string;
  readonly statements: readonly string[];
}

export const earlyMigrations: readonly Migration[] = [
  {
    name: '0001-stretch-and-playback',
    statements: [
      // One row per (account, slot, view, stretch). What a view is about is part of its identity,
      // so that no later beacon can move a count from one row to another.
      `CREATE TABLE IF NOT EXISTS stretch (
        accountId UInt32,
        slot DateTime('UTC') CODEC(Delta, ZSTD),
        packageId UInt32,
        videoId UInt32,
        os LowCardinality(String),
        osVersion LowCardinality(String),
        view UUID,
        stretch UInt32,
        plays SimpleAggregateFunction(max, UInt8),
        playMs SimpleAggregateFunction(max, UInt32) CODEC(ZSTD)
      ) ENGINE = AggregatingMergeTree
      PARTITION BY toYear(slot)
      ORDER BY (accountId, slot, packageId, videoId, os, osVersion, view, stretch)
      SETTINGS ${durable}`,
      // Which slots were written to, and when: what the roll-up has to sum again.
      `CREATE TABLE IF NOT EXISTS touched (
        arrival DateTime64(3, 'UTC') DEFAULT now64(3),
        accountId UInt32,
        slot DateTime('UTC')
      ) ENGINE = MergeTree
      PARTITION BY toDate(arrival)
      ORDER BY arrival
      SETTINGS ${durable}`,
      // Sums by slot, in several groupings side by side; the columns that a grouping does not
      // distinguish are 0 or empty. Of the groupings by day `slot` is the beginning of a UTC day.
      // Sums of growing values only grow.
      `CREATE TABLE IF NOT EXISTS playback (
        accountId UInt32,
        grouping Enum8('account' = 1, 'package' = 2, 'video' = 3,
          'account-os' = 4, 'package-os' = 5, 'video-os' = 6,
          'account-os-day' = 7, 'package-os-day' = 8, 'video-os-day' = 9),
        videoId UInt32,
        packageId UInt32,
        slot DateTime('UTC') CODEC(Delta, ZSTD),
        os LowCardinality(String),
        osVersion LowCardinality(String),
        plays SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
        playMs SimpleAggregateFunction(max, UInt64) CODEC(ZSTD)
      ) ENGINE = AggregatingMergeTree
      PARTITION BY toYear(slot)
      ORDER BY (accountId, grouping, videoId, packageId, slot, os, osVersion)
      SETTINGS ${durable}`,
      // How far the roll-up has come, for the next start.
      `CREATE TABLE IF NOT EXISTS rolled (
        one UInt8 DEFAULT 1,
        through SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
        daysThrough SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
      ) ENGINE = AggregatingMergeTree
      ORDER BY one
      SETTINGS ${durable}`,
    ],
  },
  {
    name: '0002-event',
    statements: [
      // Single events, kept for as long as more of the same view may come. The partition is
      // the day of an arrival: whole days go at once.
      `CREATE TABLE IF NOT EXISTS event (
        accountId UInt32,
        view UUID,
        moment Int64 CODEC(Delta, ZSTD),
        sequence UInt32,
        state Enum8('resting' = 0, 'playing' = 1, 'started' = 2, 'untimed' = 3),
        arrival SimpleAggregateFunction(min, Int64) CODEC(Delta, ZSTD),
        day Date
      ) ENGINE = AggregatingMergeTree
      PARTITION BY day
      ORDER BY (accountId, view, moment, sequence, state)
      TTL day + toIntervalDay(9)
      SETTINGS ttl_only_drop_parts = 1, ${durable}`,
    ],
  },
  {
    name: '0003-ledger',
    statements: [
      // What became of the beacons of an account on a day. A run only counts up: the largest holds.
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
  },
  {
    name: '0004-event-counted',
    statements: [
      // Where the play of a view was counted is kept beside its player's events.
      `ALTER TABLE event MODIFY COLUMN state Enum8('resting' = 0, 'playing' = 1, 'started' = 2,
        'untimed' = 3, 'counted' = 4)`,
    ],
  },
  {
    name: '0005-playback-sum',
    statements: [
      // Its rows are sums.
      'RENAME TABLE IF EXISTS playback TO playback_sum',
    ],
  },
  {
    name: '0006-touched-batch',
    statements: ['ALTER TABLE touched ADD COLUMN IF NOT EXISTS batch UInt64'],
  },
  {
    name: '0007-suspects-and-epochs',
    statements: [
      // Only a column that is added by the same statement may be appended to the order.
      `ALTER TABLE stretch
        ADD COLUMN IF NOT EXISTS suspect String CODEC(ZSTD) AFTER stretch,
        MODIFY ORDER BY (accountId, slot, packageId, videoId, os, osVersion, view, stretch,
          suspect)`,
      // The upper half is the sum's epoch: 0 in all that earlier releases summed.
      `ALTER TABLE playback_sum
        MODIFY COLUMN plays SimpleAggregateFunction(max, UInt128) CODEC(ZSTD),
        MODIFY COLUMN playMs SimpleAggregateFunction(max, UInt128) CODEC(ZSTD)`,
    ],
  },
];
