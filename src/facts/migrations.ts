/**
 * The history of the facts' tables. Each migration is applied once
 * (migrate.ts) and never changed after its release, only followed by another. Statements may be
 * repeated: a crash may fall between the last of them and the record that they were applied.
 */

/**
 * What makes "acknowledged" true. Without any one of these, a power cut loses acknowledged rows or
 * leaves a store that does not open; old parts stay for longer than the kernel's write-back takes.
 */
const durable = `fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  old_parts_lifetime = 480`;

/** Of several texts the largest is kept. */
const text = 'SimpleAggregateFunction(max, LowCardinality(String))';

export interface Migration {
  /** Names sort in the order of the list. */
  readonly name: string;
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
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
  {
    name: '0008-audience',
    statements: [
      // What a fact knows besides its identity; in all that is stored already it is not known.
      `ALTER TABLE stretch
        ADD COLUMN IF NOT EXISTS startMs SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD),
        ADD COLUMN IF NOT EXISTS laterMs SimpleAggregateFunction(max, UInt32) CODEC(ZSTD),
        ADD COLUMN IF NOT EXISTS position SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
        ADD COLUMN IF NOT EXISTS mediaMs SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
        ADD COLUMN IF NOT EXISTS viewer SimpleAggregateFunction(max, UInt64) CODEC(ZSTD),
        ADD COLUMN IF NOT EXISTS country ${text},
        ADD COLUMN IF NOT EXISTS device ${text},
        ADD COLUMN IF NOT EXISTS browser ${text},
        ADD COLUMN IF NOT EXISTS browserVersion ${text},
        ADD COLUMN IF NOT EXISTS host ${text},
        ADD COLUMN IF NOT EXISTS page ${text},
        ADD COLUMN IF NOT EXISTS referrer ${text},
        ADD COLUMN IF NOT EXISTS player ${text},
        ADD COLUMN IF NOT EXISTS label1 ${text},
        ADD COLUMN IF NOT EXISTS label2 ${text},
        ADD COLUMN IF NOT EXISTS label3 ${text},
        ADD COLUMN IF NOT EXISTS label4 ${text},
        ADD COLUMN IF NOT EXISTS label5 ${text},
        ADD COLUMN IF NOT EXISTS label6 ${text},
        ADD COLUMN IF NOT EXISTS label7 ${text},
        ADD COLUMN IF NOT EXISTS label8 ${text},
        ADD COLUMN IF NOT EXISTS label9 ${text},
        ADD COLUMN IF NOT EXISTS label10 ${text}`,
    ],
  },
  {
    name: '0009-peak',
    statements: [
      // How many stretches play at once in a slot at most. The peaks of facts that are stored
      // already are made in the background after the start; until then answers read those facts.
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
    ],
  },
  {
    name: '0010-days-of-all-groupings',
    statements: [
      // Rankings over a year read a video's days, and not those of each of its systems.
      `ALTER TABLE playback_sum MODIFY COLUMN grouping Enum8('account' = 1, 'package' = 2,
        'video' = 3, 'account-os' = 4, 'package-os' = 5, 'video-os' = 6, 'account-os-day' = 7,
        'package-os-day' = 8, 'video-os-day' = 9, 'account-day' = 10, 'package-day' = 11,
        'video-day' = 12)`,
      // As the roll-up makes them from then on. In the order of the table a group is done with
      // before the next begins.
      `INSERT INTO playback_sum
          (accountId, grouping, videoId, packageId, slot, os, osVersion, plays, playMs)
        SELECT accountId, concat(slotGrouping, '-day'), videoId, packageId,
          toStartOfDay(slot) AS day, '', '',
          bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(largestPlays, 64))), 64),
            sum(toUInt64(largestPlays))),
          bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(largestMs, 64))), 64),
            sum(toUInt64(largestMs)))
        FROM (
          SELECT accountId, toString(grouping) AS slotGrouping, videoId, packageId, slot,
            max(plays) AS largestPlays, max(playMs) AS largestMs
          FROM playback_sum
          WHERE grouping IN ('account', 'package', 'video')
          GROUP BY accountId, grouping, videoId, packageId, slot
        )
        GROUP BY accountId, slotGrouping, videoId, packageId, day
        SETTINGS optimize_aggregation_in_order = 1, max_partitions_per_insert_block = 0,
          max_bytes_before_external_group_by = 500000000`,
    ],
  },
  {
    name: '0011-ceiling',
    statements: [
      // Time that was counted may be taken back; nothing that is stored already has been.
      `ALTER TABLE stretch ADD COLUMN IF NOT EXISTS
        ceiling SimpleAggregateFunction(max, UInt64) CODEC(ZSTD) AFTER playMs`,
      'ALTER TABLE touched ADD COLUMN IF NOT EXISTS mayShrink UInt8',
    ],
  },
  {
    name: '0012-codecs-of-facts',
    statements: [
      // Parts are written so from then on; those that are there, when they are merged.
      `ALTER TABLE stretch
        MODIFY COLUMN packageId UInt32 CODEC(ZSTD),
        MODIFY COLUMN videoId UInt32 CODEC(ZSTD),
        MODIFY COLUMN os LowCardinality(String) CODEC(ZSTD),
        MODIFY COLUMN osVersion LowCardinality(String) CODEC(ZSTD),
        MODIFY COLUMN view UUID CODEC(ZSTD),
        MODIFY COLUMN stretch UInt32 CODEC(T64, ZSTD),
        MODIFY COLUMN plays SimpleAggregateFunction(max, UInt8) CODEC(ZSTD),
        MODIFY COLUMN playMs SimpleAggregateFunction(max, UInt32) CODEC(T64, ZSTD),
        MODIFY COLUMN position SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD),
        MODIFY COLUMN mediaMs SimpleAggregateFunction(max, UInt64) CODEC(T64, ZSTD),
        MODIFY COLUMN country ${text} CODEC(ZSTD),
        MODIFY COLUMN device ${text} CODEC(ZSTD),
        MODIFY COLUMN browser ${text} CODEC(ZSTD),
        MODIFY COLUMN browserVersion ${text} CODEC(ZSTD),
        MODIFY COLUMN host ${text} CODEC(ZSTD),
        MODIFY COLUMN page ${text} CODEC(ZSTD),
        MODIFY COLUMN referrer ${text} CODEC(ZSTD),
        MODIFY COLUMN player ${text} CODEC(ZSTD),
        MODIFY COLUMN label1 ${text} CODEC(ZSTD),
        MODIFY COLUMN label2 ${text} CODEC(ZSTD),
        MODIFY COLUMN label3 ${text} CODEC(ZSTD),
        MODIFY COLUMN label4 ${text} CODEC(ZSTD),
        MODIFY COLUMN label5 ${text} CODEC(ZSTD),
        MODIFY COLUMN label6 ${text} CODEC(ZSTD),
        MODIFY COLUMN label7 ${text} CODEC(ZSTD),
        MODIFY COLUMN label8 ${text} CODEC(ZSTD),
        MODIFY COLUMN label9 ${text} CODEC(ZSTD),
        MODIFY COLUMN label10 ${text} CODEC(ZSTD)`,
    ],
  },
  {
    name: '0013-regular-views',
    statements: [
      // Which views the plays of a day don't count. Until a day has been checked, in the
      // background, answers tell all its views apart.
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
    ],
  },
];
