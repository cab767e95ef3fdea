/**
 * Tables for counting views and viewers of large ranges without reading their facts. All of them
 * can be made again from the facts.
 */
import { detailColumns } from './attributes.ts';
import { audienceCounts, audienceGrouping, audienceGroupingNames } from './audience-groupings.ts';
import { bits, durable, number, slot, text } from './column-types.ts';
import { type Column, defineTable } from './table.ts';

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
 * The counts of a UTC day by each dimension (audience-days.ts). If a day was counted several times,
 * the last result counts; earlier ones are deleted.
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
 * (audience-days.ts).
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
 * What the views of a day saw of a video (day-views.ts). Each view's ranges of the media are in
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
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  // A video's days side by side.
  orderBy: ['accountId', 'videoId', 'slot', 'countedAt', 'packageId', 'view', 'portion'],
  settings: durable,
  // As the counts of their days.
  shardBy: 'cityHash64(accountId)',
});
