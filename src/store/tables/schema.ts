/**
 * The tables of the facts, and the one place that knows them. Migrations (migrations.ts) make them;
 * a test holds the two together.
 */
import { type DetailColumn, detailColumns } from './attributes.ts';
import {
  audienceDay,
  audienceSeen,
  checkedDay,
  irregularFact,
  irregularView,
} from './audience-tables.ts';
import { bits, durable, number, slot, text } from './column-types.ts';
import { peakGroupings, storedPeakType } from './peaks.ts';
import {
  daySuffix,
  groupingNames,
  groupingOf,
  keyColumns,
  type SumName,
  storedType,
  sumNames,
} from './sums.ts';
import { type Column, defineTable } from './table.ts';

/** What identifies a fact, whatever suspect it is under. */
export const stretchKey = ['accountId', 'slot', ...keyColumns, 'view', 'stretch'] as const;

/**
 * One row per (account, slot, view, stretch). A view's package, video and system are part of its
 * identity, so that no later beacon can move a count from one row to another.
 */
const stretch = defineTable({
  name: 'stretch',
  columns: {
    accountId: number,
    slot,
    packageId: { ...number, codec: bits },
    videoId: { ...number, codec: bits },
    os: { ...text, codec: 'ZSTD' },
    osVersion: { ...text, codec: 'ZSTD' },
    view: { type: 'UUID', codec: 'ZSTD' },
    stretch: { ...number, codec: bits },
    /** Empty for usual playback; else the suspect that the fact belongs to. */
    suspect: { type: 'String', codec: 'ZSTD' },
    plays: { type: 'SimpleAggregateFunction(max, UInt8)', codec: bits },
    playMs: { type: 'SimpleAggregateFunction(max, UInt32)', codec: bits },
    /** Milliseconds in the lower half, how many events are known above; see Fact. 0: none. */
    ceiling: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'ZSTD' },
    /** Start of the stretch, milliseconds since the epoch; 0: not known. */
    startMs: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'Delta, ZSTD' },
    /** How long the stretch has gone on after this slot. */
    laterMs: { type: 'SimpleAggregateFunction(max, UInt32)', codec: 'ZSTD' },
    /** Where in the media the stretch began, and 1 more; 0: not known. */
    position: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'Delta, ZSTD' },
    /** How far the media has advanced in the whole stretch. */
    mediaMs: { type: 'SimpleAggregateFunction(max, UInt64)', codec: bits },
    /** Its upper two bits are the kind: 2 named, 1 of a day, 0 none, which has no other bits. */
    viewer: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'ZSTD' },
    ...columnsOfDetails(),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: [...stretchKey, 'suspect'],
  primaryKey: stretchKey,
  settings: durable,
  shardBy: 'cityHash64(view)',
});

function columnsOfDetails(): Record<DetailColumn, Column> {
  const type = 'SimpleAggregateFunction(max, LowCardinality(String))';
  const columns = detailColumns.map((name): [string, Column] => [name, { type, codec: 'ZSTD' }]);
  return Object.fromEntries(columns) as Record<DetailColumn, Column>;
}

/** Which slots were written to, and when: the roll-up must sum them again. */
const touched = defineTable({
  name: 'touched',
  columns: {
    arrival: { type: "DateTime64(3, 'UTC')", default: 'now64(3)' },
    accountId: number,
    slot: { type: "DateTime('UTC')" },
    /** A number of its own for each insert of facts. */
    batch: { type: 'UInt64' },
    /** 1 if some of the facts have a ceiling, so that sums may have to shrink. */
    mayShrink: { type: 'UInt8' },
  },
  engine: 'MergeTree',
  partitionBy: 'toDate(arrival)',
  orderBy: ['arrival'],
  settings: durable,
  shardBy: 'rand()',
});

function groupingEnum(): string {
  const codes = groupingNames.flatMap((name): [string, number][] => {
    const { code, dayCode } = groupingOf(name);
    return [
      [name, code],
      [name + daySuffix, dayCode],
    ];
  });
  return `Enum8(${codes.map(([name, code]) => `'${name}' = ${code}`).join(', ')})`;
}

/**
 * Sums by slot, in several groupings side by side; the columns that a grouping does not distinguish
 * are 0 or empty. In the groupings by day `slot` is the beginning of a UTC day.
 */
const playbackSum = defineTable({
  name: 'playback_sum',
  columns: {
    accountId: number,
    grouping: { type: groupingEnum() },
    videoId: number,
    packageId: number,
    slot,
    os: text,
    osVersion: text,
    ...sumColumns(),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'grouping', 'videoId', 'packageId', 'slot', 'os', 'osVersion'],
  settings: durable,
  // All rows of a sum on one shard: the largest of them counts. And all sums of an account, so that
  // an insert that changes many is seen as a whole there too (docs/decisions/cluster.md).
  shardBy: 'cityHash64(accountId)',
});

function sumColumns(): Record<SumName, Column> {
  const columns = sumNames.map((name): [string, Column] => [
    name,
    { type: `SimpleAggregateFunction(max, ${storedType})`, codec: 'ZSTD' },
  ]);
  return Object.fromEntries(columns) as Record<SumName, Column>;
}

/** The largest number of stretches that play at once in a slot, and when (peaks.ts). */
const peak = defineTable({
  name: 'peak',
  columns: {
    accountId: number,
    grouping: {
      type: `Enum8(${Object.entries(peakGroupings)
        .map(([name, code]) => `'${name}' = ${code}`)
        .join(', ')})`,
    },
    videoId: number,
    packageId: number,
    slot,
    peak: { type: `SimpleAggregateFunction(max, ${storedPeakType})`, codec: 'ZSTD' },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'grouping', 'videoId', 'packageId', 'slot'],
  settings: durable,
  // As the sums.
  shardBy: 'cityHash64(accountId)',
});

/** The progress of the roll-up, for the next start. */
const rolled = defineTable({
  name: 'rolled',
  columns: {
    one: { type: 'UInt8', default: '1' },
    through: { type: "SimpleAggregateFunction(max, DateTime64(3, 'UTC'))" },
    daysThrough: { type: "SimpleAggregateFunction(max, DateTime64(3, 'UTC'))" },
  },
  engine: 'AggregatingMergeTree',
  orderBy: ['one'],
  settings: durable,
  shardBy: 'one',
});

/**
 * Single events, kept for as long as more of the same view may come. The partition is the
 * day of arrival: whole days are deleted at once.
 */
const event = defineTable({
  name: 'event',
  columns: {
    accountId: number,
    view: { type: 'UUID' },
    moment: { type: 'Int64', codec: 'Delta, ZSTD' },
    sequence: number,
    state: {
      type: `Enum8('resting' = 0, 'playing' = 1, 'started' = 2, 'untimed' = 3, 'counted' = 4)`,
    },
    arrival: { type: 'SimpleAggregateFunction(min, Int64)', codec: 'Delta, ZSTD' },
    day: { type: 'Date' },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'day',
  orderBy: ['accountId', 'view', 'moment', 'sequence', 'state'],
  ttl: 'day + toIntervalDay(9)',
  settings: `ttl_only_drop_parts = 1, ${durable}`,
  shardBy: 'cityHash64(view)',
});

/** The outcomes of an account's beacons on a day. Counts of a run only grow: the largest counts. */
const ledger = defineTable({
  name: 'ledger',
  columns: {
    accountId: number,
    day: { type: 'Date' },
    outcome: text,
    run: { type: 'UUID' },
    beacons: { type: 'SimpleAggregateFunction(max, UInt64)' },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(day)',
  orderBy: ['accountId', 'day', 'outcome', 'run'],
  settings: durable,
  shardBy: 'cityHash64(accountId, day, outcome, run)',
});

/** Which migrations have been applied to the store. */
const migration = defineTable({
  name: 'migration',
  columns: {
    name: { type: 'String' },
    checksum: { type: 'String' },
    at: { type: "DateTime64(3, 'UTC')", default: 'now64(3)' },
  },
  engine: 'MergeTree',
  orderBy: ['name'],
  settings: durable,
  shardBy: 'cityHash64(name)',
});

/** Which nodes are migrating the store: each renews its row until it has finished. */
const migrating = defineTable({
  name: 'migrating',
  columns: {
    at: { type: "DateTime64(3, 'UTC')", default: 'now64(3)' },
    id: { type: 'UUID' },
    ended: { type: 'UInt8' },
  },
  engine: 'MergeTree',
  orderBy: ['at'],
  settings: durable,
  shardBy: 'cityHash64(id)',
});

export const tables = {
  stretch,
  touched,
  playbackSum,
  peak,
  irregularView,
  checkedDay,
  audienceDay,
  irregularFact,
  audienceSeen,
  rolled,
  event,
  ledger,
  migration,
  migrating,
};
