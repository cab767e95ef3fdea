import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { mostValues, type RowOrder } from './order-rows.ts';
import type { Plan } from './plan.ts';

/** Spans and offsets in units that are easily read: seconds 0 to 9. */
const span = (from: number, until: number) => ({ fromMs: from * 1_000, untilMs: until * 1_000 });
const utc = [{ sinceMs: 0, offsetMs: 0 }];
const slots = { slots: [span(1, 2)], days: [] };
const inSlots0 = { slots_from0: 1, slots_until0: 2 };
const slots0 = 'slot >= {slots_from0:UInt32} AND slot < {slots_until0:UInt32}';

/** The values played most, and one more if there are others. */
const bounded = (select: string) =>
  `SELECT label, plays, playMs
FROM (
${select}
ORDER BY plays DESC, playMs DESC, label
LIMIT ${mostValues + 1}
)`;
const versions = `arrayMap(part -> if(match(part, '^[0-9]+$'),
  (0, length(replaceRegexpOne(part, '^0+', '')), replaceRegexpOne(part, '^0+', ''), part),
  (1, 0, '', part)), splitByChar('.', toString(label)))`;

interface Case {
  readonly name: string;
  readonly plan: Omit<Plan, 'accountId'>;
  readonly order: RowOrder;
  readonly sql: string;
  readonly parameters: object;
}

const cases: readonly Case[] = [
  {
    name: 'days of the account',
    plan: { grouping: 'account', filters: {}, label: 'date', cover: slots, clock: utc },
    order: { sortData: 'date', sortDirection: 'desc' },
    sql: `SELECT toDate(slot + {clockOffset0:Int32}) AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND videoId = 0 AND packageId = 0 AND grouping = 'account' AND ${slots0}
  GROUP BY slot
)
GROUP BY label
HAVING plays > 0 OR playMs > 0
ORDER BY label DESC`,
    parameters: {
      ...inSlots0,
      clockSince0: 0,
      clockOffset0: 0,
    },
  },
  {
    name: 'hours of a package, over two changes of the clock',
    plan: {
      grouping: 'package',
      filters: { packageId: 3 },
      label: 'hour',
      cover: slots,
      clock: [
        { sinceMs: 1_000, offsetMs: 60_000 },
        { sinceMs: 2_000, offsetMs: 120_000 },
        { sinceMs: 3_000, offsetMs: -60_000 },
      ],
    },
    order: { sortData: 'hour', sortDirection: 'asc' },
    sql: `SELECT formatDateTime(slot + multiIf(slot >= {clockSince2:UInt32}, {clockOffset2:Int32}, slot >= {clockSince1:UInt32}, {clockOffset1:Int32}, {clockOffset0:Int32}), '%H') AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND videoId = 0 AND grouping = 'package' AND ${slots0} AND packageId = {packageId:UInt32}
  GROUP BY slot
)
GROUP BY label
HAVING plays > 0 OR playMs > 0
ORDER BY label ASC`,
    parameters: {
      ...inSlots0,
      packageId: 3,
      clockSince0: 1,
      clockOffset0: 60,
      clockSince1: 2,
      clockOffset1: 120,
      clockSince2: 3,
      clockOffset2: -60,
    },
  },
  {
    name: 'days of a video in all packages, in two pieces',
    plan: {
      grouping: 'video',
      filters: { videoId: 21 },
      label: 'date',
      cover: { slots: [span(1, 2), span(3, 4)], days: [] },
      clock: utc,
    },
    order: { sortData: 'duration', sortDirection: 'desc' },
    sql: `SELECT toDate(slot + {clockOffset0:Int32}) AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, packageId, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND grouping = 'video' AND (${slots0} OR slot >= {slots_from1:UInt32} AND slot < {slots_until1:UInt32}) AND videoId = {videoId:UInt32}
  GROUP BY slot, packageId
)
GROUP BY label
HAVING plays > 0 OR playMs > 0
ORDER BY intDiv(playMs, 1000) DESC, label ASC`,
    parameters: {
      ...inSlots0,
      slots_from1: 3,
      slots_until1: 4,
      videoId: 21,
      clockSince0: 0,
      clockOffset0: 0,
    },
  },
  {
    name: 'systems of a package, by whole days and slots',
    plan: {
      grouping: 'package-os',
      filters: { packageId: 3 },
      label: 'os',
      cover: { slots: [span(1, 2)], days: [span(2, 5)] },
      clock: [],
    },
    order: { sortData: 'videoCount', sortDirection: 'desc' },
    sql: `${bounded(`SELECT os AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, os, osVersion, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND videoId = 0 AND (grouping = 'package-os' AND ${slots0} OR grouping = 'package-os-day' AND slot >= {days_from0:UInt32} AND slot < {days_until0:UInt32}) AND packageId = {packageId:UInt32}
  GROUP BY slot, os, osVersion
)
GROUP BY label
HAVING plays > 0 OR playMs > 0`)}
ORDER BY intDiv(plays, 1) DESC, label ASC`,
    parameters: {
      ...inSlots0,
      days_from0: 2,
      days_until0: 5,
      packageId: 3,
    },
  },
  {
    name: 'versions of a system, of a video in a package',
    plan: {
      grouping: 'video-os',
      filters: { packageId: 3, videoId: 21, os: 'iOS' },
      label: 'detail',
      cover: slots,
      clock: [],
    },
    order: { sortData: 'detail', sortDirection: 'desc' },
    sql: `${bounded(`SELECT osVersion AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, osVersion, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND grouping = 'video-os' AND ${slots0} AND packageId = {packageId:UInt32} AND videoId = {videoId:UInt32} AND os = {os:String}
  GROUP BY slot, osVersion
)
GROUP BY label
HAVING plays > 0 OR playMs > 0`)}
ORDER BY ${versions} DESC`,
    parameters: {
      ...inSlots0,
      packageId: 3,
      videoId: 21,
      os: 'iOS',
    },
  },
  {
    name: 'versions of a system, of a video in all packages',
    plan: {
      grouping: 'video-os',
      filters: { videoId: 21, os: 'iOS' },
      label: 'detail',
      cover: slots,
      clock: [],
    },
    order: { sortData: 'duration', sortDirection: 'asc' },
    sql: `${bounded(`SELECT osVersion AS label, sum(toUInt64(largest_plays)) AS plays, sum(toUInt64(largest_playMs)) AS playMs
FROM (
  SELECT slot, packageId, osVersion, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND grouping = 'video-os' AND ${slots0} AND videoId = {videoId:UInt32} AND os = {os:String}
  GROUP BY slot, packageId, osVersion
)
GROUP BY label
HAVING plays > 0 OR playMs > 0`)}
ORDER BY intDiv(playMs, 1000) ASC, ${versions} ASC`,
    parameters: { ...inSlots0, videoId: 21, os: 'iOS' },
  },
];

test.each(cases)('$name', ({ plan, order, sql, parameters }) => {
  expect(compile({ accountId: 7, ...plan }, order)).toEqual({
    name: 'statistics',
    sql,
    parameters: { accountId: 7, ...parameters },
  });
});
