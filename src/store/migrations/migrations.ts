/**
 * The history of the facts' tables. Each migration is applied once
 * (migrate.ts) and never changed after its release, only followed by another. Statements may be
 * repeated: a crash may fall between the last of them and the record that they were applied.
 */
import { durable, earlyMigrations, type Migration } from './early-migrations.ts';

export type { Migration } from './early-migrations.ts';

/** Of several texts the largest is kept. */
const text = 'SimpleAggregateFunction(max, LowCardinality(String))';

export const migrations: readonly Migration[] = [
  ...earlyMigrations,
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
  {
    name: '0014-audience-days',
    statements: [
      // Counts of checked days by one dimension each, made in the background. Until a day has them,
      // answers read its facts.
      `CREATE TABLE IF NOT EXISTS audience_day (
        accountId UInt32,
        grouping Enum8(
          'total' = 1, 'hour' = 2, 'split' = 8, 'package' = 3, 'video' = 4, 'os' = 5,
          'osVersion' = 6, 'viewerKind' = 7, 'country' = 20, 'device' = 21,
          'browser' = 22, 'browserVersion' = 23, 'host' = 24, 'page' = 25,
          'referrer' = 26, 'player' = 27, 'label1' = 28, 'label2' = 29, 'label3' = 30,
          'label4' = 31, 'label5' = 32, 'label6' = 33, 'label7' = 34, 'label8' = 35,
          'label9' = 36, 'label10' = 37),
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
        os ${text},
        osVersion ${text},
        country ${text},
        device ${text},
        browser ${text},
        browserVersion ${text},
        host ${text},
        page ${text},
        referrer ${text},
        player ${text},
        label1 ${text},
        label2 ${text},
        label3 ${text},
        label4 ${text},
        label5 ${text},
        label6 ${text},
        label7 ${text},
        label8 ${text},
        label9 ${text},
        label10 ${text},
        viewer SimpleAggregateFunction(max, UInt64)
      ) ENGINE = AggregatingMergeTree
      PARTITION BY toYear(slot)
      ORDER BY (accountId, slot, countedAt, packageId, videoId, view, about)
      SETTINGS ${durable}`,
    ],
  },
  {
    name: '0015-seen-of-days',
    statements: [
      // What the views of a day saw. Days are counted again, with it.
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
      'ALTER TABLE audience_day DELETE WHERE true SETTINGS mutations_sync = 2',
    ],
  },
  {
    name: '0016-smaller-facts',
    statements: [
      // Parts are written so from now on, and those that are there when they are merged.
      `ALTER TABLE stretch
        MODIFY COLUMN packageId UInt32 CODEC(T64, ZSTD),
        MODIFY COLUMN videoId UInt32 CODEC(T64, ZSTD),
        MODIFY COLUMN plays SimpleAggregateFunction(max, UInt8) CODEC(T64, ZSTD),
        MODIFY COLUMN position SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD)`,
    ],
  },
];
