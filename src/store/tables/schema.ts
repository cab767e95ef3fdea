/** Types and codecs that columns of several tables have, and what all tables are set to. */
import { playerStates } from '../../vocabulary/player-states.ts';
import {
  audienceCounts,
  audienceGrouping,
  audienceGroupingNames,
  detailColumns,
  factColumns,
  toldColumnNames,
  toldOfFactNames,
} from './audience.ts';
import {
  daySuffix,
  findGrouping,
  groupingNames,
  peakGroupings,
  type SumName,
  storedPeakType,
  storedType,
  sumNames,
} from './sums.ts';
import { type Column, defineTable } from './table.ts';

/**
 * What makes "acknowledged" true. Without any one of these, a power cut loses acknowledged rows or
 * leaves a store that does not open; old parts stay for longer than the kernel's write-back takes.
 */
export const durable = `fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  old_parts_lifetime = 480`;

export const number = { type: 'UInt32' };
export const text = { type: 'LowCardinality(String)' };
/** Of facts, of which there are most; docs/decisions/codecs-of-facts.md. */
export const bits = 'T64, ZSTD';
export const slot = { type: "DateTime('UTC')", codec: 'Delta, ZSTD' };

/* Tables for counting views and viewers of large ranges without reading their facts. All of them
 * can be made again from the facts.
 */

/**
 * Views that the plays of a day don't count, on each of their UTC days (regular-views.ts). `slot`
 * is the beginning of the day.
 */
export const irregularView = defineTable({
  name: 'irregular_view',
  columns: {
    accountId: number,
    slot,
    packageId: number,
    videoId: number,
    view: { type: 'UUID' },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'slot', 'packageId', 'videoId', 'view'],
  settings: durable,
  // As their facts, so that both are erased where they are.
  shardBy: 'cityHash64(view)',
});

/** UTC days whose irregular views are all known, unless a fact came later. */
export const checkedDay = defineTable({
  name: 'checked_day',
  columns: {
    accountId: number,
    slot,
    /** Facts whose notes arrived before this have been looked at, by the store's clock. */
    checkedAt: { type: "SimpleAggregateFunction(max, DateTime64(3, 'UTC'))" },
    /** The last note of the day that was dropped. */
    touchedAt: { type: "SimpleAggregateFunction(max, DateTime64(3, 'UTC'))" },
  },
  engine: 'AggregatingMergeTree',
  orderBy: ['accountId', 'slot'],
  settings: durable,
  shardBy: 'cityHash64(accountId)',
});

/** The same in all rows of one identity. */
const largest = (type: string): Column => ({ type: `SimpleAggregateFunction(max, ${type})` });
const largestOf = <Name extends string>(names: readonly Name[], type: string) =>
  Object.fromEntries(names.map((name) => [name, largest(type)])) as Record<Name, Column>;

/**
 * The counts of a UTC day by each dimension (store/days/day-counts.ts). If a day was counted
 * several times, the last result counts; earlier ones are deleted.
 */
export const audienceDay = defineTable({
  name: 'audience_day',
  columns: {
    accountId: number,
    grouping: {
      type: `Enum8(${audienceGroupingNames
        .map((name) => `'${name}' = ${audienceGrouping(name).code}`)
        .join(', ')})`,
    },
    /** The beginning of the day, or of an hour of it. */
    slot,
    /** By the store's clock: all rows of a day have the same. */
    countedAt: { type: "DateTime64(3, 'UTC')" },
    value: text,
    version: text,
    /** Of what it was counted: the day's check, the account's epoch, how many views were marked. */
    checkedAt: largest("DateTime64(3, 'UTC')"),
    ...largestOf(['epoch', 'marks'], 'UInt32'),
    ...largestOf(audienceCounts, 'UInt64'),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'grouping', 'slot', 'countedAt', 'value', 'version'],
  settings: durable,
  // A day at once, as the sums.
  shardBy: 'cityHash64(accountId)',
});

/**
 * Facts of irregular views, for each hour of a day whose counts do not include them
 * (store/days/day-counts.ts).
 */
export const irregularFact = defineTable({
  name: 'irregular_fact',
  columns: {
    accountId: number,
    /** The beginning of the hour. */
    slot,
    /** That of the counts of the day. */
    countedAt: { type: "DateTime64(3, 'UTC')" },
    packageId: number,
    videoId: number,
    view: { type: 'UUID' },
    /** A hash of all columns that follow. */
    about: { type: 'UInt64' },
    ...largestOf(['os', 'osVersion', ...detailColumns], text.type),
    viewer: largest('UInt64'),
    ...largestOf([...factColumns], text.type),
    /** Of a wait; one of which no end was told was left. */
    ...largestOf(['cause', 'outcome'], 'UInt8'),
    hasPlayback: largest('UInt8'),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'slot', 'countedAt', 'packageId', 'videoId', 'view', 'about'],
  settings: durable,
  // As the counts of their days.
  shardBy: 'cityHash64(accountId)',
});

/** Of arrays, any: all rows of one identity are the same. */
const list = (type: string, codec = 'ZSTD'): Column => ({
  ...{ type: `SimpleAggregateFunction(any, Array(${type}))`, codec },
});

/**
 * What the views of a day saw of a video. Each view's ranges of the media are in
 * order and uncut; the last is empty if the furthest position is beyond what was played.
 */
export const audienceSeen = defineTable({
  name: 'audience_seen',
  columns: {
    accountId: number,
    videoId: number,
    /** The beginning of the day. */
    slot,
    /** That of the counts of the day. */
    countedAt: { type: "DateTime64(3, 'UTC')" },
    packageId: number,
    /** Of a marked view; else the nil UUID, of as many views as a row may have. */
    view: { type: 'UUID' },
    portion: number,
    /** All, and those that reported a position. */
    ...largestOf(['views', 'positionedViews'], 'UInt32'),
    /** Whether a range is the first of its view. */
    isFirst: list('UInt8'),
    fromMs: list('UInt64', 'Delta, ZSTD'),
    rangeMs: list('UInt64', bits),
    /** Where media is played more often than once, or does not count: how often, by its changes. */
    extraAtMs: list('UInt64', 'Delta, ZSTD'),
    extra: list('Int64', bits),
    /* Of views that have it, ascending: playback time, time of all stalls, kbit/s. */
    playMs: list('UInt64', 'Delta, ZSTD'),
    stallMs: list('UInt64', 'Delta, ZSTD'),
    bitrate: list('UInt64', 'Delta, ZSTD'),
    /** Of a marked view, whose bitrate is that of all its days. */
    ...largestOf(['mediaBits', 'bitsMediaMs'], 'UInt64'),
    /** Of all without a mark, ascending: by them, a view of another day is found (`viewHash`). */
    viewHashes: list('UInt32'),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  // A video's days side by side, apart from the many small rows of marked views.
  orderBy: ['accountId', 'videoId', 'view', 'slot', 'countedAt', 'packageId', 'portion'],
  // Rows are long: of the usual number, some days would read nearly all.
  settings: `index_granularity = 32, ${durable}`,
  // As the counts of their days.
  shardBy: 'cityHash64(accountId)',
});

/* The tables of the facts, and the one place that knows them. Migrations (migrations.ts) make them;
 * a test holds the two together.
 */

const indexed = ['accountId', 'slot', 'packageId', 'videoId', 'view', 'stretch'] as const;
/** What identifies a fact, whatever suspect it is under. */
export const stretchKey = [...indexed, 'startMs'] as const;

/**
 * One row per (account, slot, view, stretch, beginning). A view's package and video are part of its
 * identity, so that no later beacon can move a count from one row to another. What was told of its
 * audience is not: the best that was told counts. Of several beginnings one counts
 * (sums/view-beginnings.ts).
 */
const stretch = defineTable({
  name: 'stretch',
  columns: {
    accountId: number,
    slot,
    packageId: { ...number, codec: bits },
    videoId: { ...number, codec: bits },
    view: { type: 'UUID', codec: 'ZSTD' },
    stretch: { ...number, codec: bits },
    /** Start of the stretch, milliseconds since the epoch; 0: not known. */
    startMs: { type: 'UInt64', codec: 'Delta, ZSTD' },
    /** Empty for usual playback; else the suspect that the fact belongs to. */
    suspect: { type: 'String', codec: 'ZSTD' },
    plays: { type: 'SimpleAggregateFunction(max, UInt8)', codec: bits },
    playMs: { type: 'SimpleAggregateFunction(max, UInt32)', codec: bits },
    /** Milliseconds in the lower half, how many events are known above; see Fact. 0: none. */
    ceiling: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'ZSTD' },
    /** How long the stretch has gone on after this slot. */
    laterMs: { type: 'SimpleAggregateFunction(max, UInt32)', codec: 'ZSTD' },
    /** Where in the media the stretch began, and 1 more; 0: not known. */
    position: { type: 'SimpleAggregateFunction(max, UInt64)', codec: bits },
    /** How far the media has advanced in the whole stretch. */
    mediaMs: { type: 'SimpleAggregateFunction(max, UInt64)', codec: bits },
    /** See vocabulary/viewers.ts. */
    toldViewer: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'ZSTD' },
    ...toldTexts(toldColumnNames),
    /** The smallest that was told: where it is another one, sums by system may have shrunk. */
    leastSystem: {
      type: 'SimpleAggregateFunction(min, LowCardinality(String))',
      default: 'toldSystem',
      codec: 'ZSTD',
    },
    /** Of a wait: how long it has lasted so far; `waitCauses` and `waitOutcomes`, 0: it is none. */
    waitMs: { type: 'SimpleAggregateFunction(max, UInt32)', codec: bits },
    cause: { type: 'SimpleAggregateFunction(max, UInt8)', codec: bits },
    outcome: { type: 'SimpleAggregateFunction(max, UInt8)', codec: bits },
    /** Of the whole stretch, as `mediaMs`. */
    mediaBits: { type: 'SimpleAggregateFunction(max, UInt64)', codec: bits },
    frames: { type: 'SimpleAggregateFunction(max, UInt32)', codec: bits },
    droppedFrames: { type: 'SimpleAggregateFunction(max, UInt32)', codec: bits },
    ...toldTexts(toldOfFactNames),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: [...stretchKey, 'suspect'],
  primaryKey: indexed,
  settings: durable,
  shardBy: 'cityHash64(view)',
});

function toldTexts<Name extends string>(names: readonly Name[]): Record<Name, Column> {
  const type = 'SimpleAggregateFunction(max, LowCardinality(String))';
  const columns = names.map((name): [string, Column] => [name, { type, codec: 'ZSTD' }]);
  return Object.fromEntries(columns) as Record<Name, Column>;
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
  },
  engine: 'MergeTree',
  partitionBy: 'toDate(arrival)',
  orderBy: ['arrival'],
  settings: durable,
  shardBy: 'rand()',
});

function groupingEnum(): string {
  const codes = groupingNames.flatMap((name): [string, number][] => {
    const { code, dayCode } = findGrouping(name);
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

/** The progress of the roll-up, for the next start (roll-up/progress.ts). */
const rolled = defineTable({
  name: 'rolled',
  columns: {
    /** What the row holds. */
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
      type: `Enum8(${Object.entries(playerStates)
        .map(([name, number]) => `'${name}' = ${number}`)
        .join(', ')})`,
    },
    arrival: { type: 'SimpleAggregateFunction(min, Int64)', codec: 'Delta, ZSTD' },
    day: { type: 'Date' },
    ...largestOf(['error', 'streamType'], text.type),
    bitrate: largest('UInt32'),
    rate: largest('Float64'),
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
