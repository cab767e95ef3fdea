/**
 * Tables by which views and viewers of large ranges are counted without their facts. All of them
 * can be made again from the facts.
 */
import { detailColumns } from './attributes.ts';
import { audienceGrouping, audienceGroupingNames, typeOfCounts } from './audience-groupings.ts';
import { durable, number, slot, text } from './column-types.ts';
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

/**
 * What was counted of a UTC day by each dimension (audience-days.ts). Of two rows of one identity
 * the larger counts, which is the one that was counted later.
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
    value: text,
    version: text,
    counts: {
      type: `SimpleAggregateFunction(max, ${typeOfCounts})`,
      codec: 'ZSTD',
    },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'grouping', 'slot', 'value', 'version'],
  settings: durable,
  // A day at once, as the sums.
  shardBy: 'cityHash64(accountId)',
});

/** The same in all rows of one identity. */
const largest = (type: string): Column => ({ type: `SimpleAggregateFunction(max, ${type})` });
const ofAudience = ['os', 'osVersion', ...detailColumns] as const;
const aboutColumns = {
  ...(Object.fromEntries(ofAudience.map((name) => [name, largest(text.type)])) as Record<
    (typeof ofAudience)[number],
    Column
  >),
  viewer: largest('UInt64'),
};

/**
 * What facts of irregular views say of them, in each hour of a day whose counts they are not in
 * (audience-days.ts).
 */
export const irregularFact = defineTable({
  name: 'irregular_fact',
  columns: {
    accountId: number,
    /** The beginning of the hour. */
    slot,
    packageId: number,
    videoId: number,
    view: { type: 'UUID' },
    /** A hash of all columns that follow, but for the last. */
    about: { type: 'UInt64' },
    ...aboutColumns,
    /** That of the counts of the day that it was last noted with. */
    countedAt: largest("DateTime64(3, 'UTC')"),
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(slot)',
  orderBy: ['accountId', 'slot', 'packageId', 'videoId', 'view', 'about'],
  settings: durable,
  // As the counts of their days.
  shardBy: 'cityHash64(accountId)',
});
