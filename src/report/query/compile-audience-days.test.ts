/** The whole statement where days are read as they were counted, and facts beside them. */
import { expect, test } from 'vitest';
import { factColumns } from '../counted-facts.ts';
import { compileFacts } from './compile-facts.ts';
import type { FactsPlan } from './query-plan.ts';

const fromMs = Date.UTC(2026, 4, 4);
const span = { fromMs, untilMs: fromMs + 86_400_000 };
const later = { fromMs: span.untilMs, untilMs: span.untilMs + 900_000 };
const day = { day: fromMs, countedAtMs: 7, marks: 1, namedViews: 1, dateFromHour: 15 };
const plan: FactsPlan = {
  ...{ source: 'facts', accountId: 7, spans: [span], clock: [] },
  keys: { sql: ['country', 'osVersion'], parameters: {}, conditions: ["country != ''"] },
  conditions: { sql: ["os = 'iOS'"], parameters: {} },
  counts: ['plays', 'views', 'viewers', 'completions', 'reached25', 'reached100'],
  ...{ accepted: [], crowded: [], mergesAll: true, cut: [], toldApart: 0, passes: 1 },
  lengths: [{ videoId: 21, accessKey: 'film', title: '', folderId: 3, durationMs: 60_000 }],
  regular: undefined,
  audienceDays: {
    ...{ grouping: 'os', rowsAre: 'values', days: [day], rest: [later], uncounted: [later] },
    playsBeside: 0,
  },
};

const belowCeiling =
  'if(ceiling = 0, playMs, least(playMs, toUInt32(bitAnd(ceiling, 4294967295)))) AS playMs';

/** What is repeated in the statement, by a name. */
const shortened = (sql: string) =>
  Object.entries({
    COLUMNS: factColumns.join(', '),
    BELOW_CEILING: factColumns.map((name) => (name === 'playMs' ? belowCeiling : name)).join(', '),
    OF_COUNTING: `accountId = {accountId:UInt32}
  AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND toUnixTimestamp64Milli(countedAt) = transform(toUnixTimestamp(toStartOfDay(slot)),
  {countedDays:Array(UInt32)}, {countedAt:Array(Int64)}, toInt64(0))`,
    NUMBER: 'bitAnd(cityHash64(packageId, videoId, view), 4611686018427387903)',
    OF_UNCOUNTED: `FROM stretch
  WHERE accountId = {accountId:UInt32} AND slot >= {uncountedfrom0:UInt32} AND slot < {uncounteduntil0:UInt32}`,
    MEDIA: `toUInt64(if(startMs = 0, 0,
    greatest(toInt64(toUnixTimestamp(slot)) * 1000 - toInt64(startMs), 0))) AS beforeMs, beforeMs + playMs + laterMs AS wholeMs, intDivOrZero(mediaMs * beforeMs, wholeMs) AS mediaFrom, intDivOrZero(mediaMs * (beforeMs + playMs), wholeMs) AS mediaUntil`,
    LENGTH:
      'transform(videoId, {lengthVideosPart0:Array(UInt32)}, {lengthsPart0:Array(UInt64)}, toUInt64(0))',
    IN_PASS: '% {passes:UInt64} = {pass:UInt64}',
  }).reduce((text, [name, repeated]) => text.replaceAll(repeated, name), sql);

/** What views have seen that are told apart, in a row and in all. */
const views = `SELECT groups, grouping(groups) = 1 AS isWhole, sign, any(videoLength) AS length, intervalLengthSum(rangeFrom, rangeUntil) AS seen, max(rangeEnd) AS furthest
FROM (
SELECT groups, packageId, videoId, view, videoLength, toInt64(1) AS sign, toUInt64(least(position - 1 + mediaFrom, videoLength)) AS rangeFrom, toUInt64(least(position - 1 + mediaUntil, videoLength)) AS rangeUntil, toUInt64(position - 1 + mediaUntil) AS rangeEnd
FROM (
SELECT tuple(country, osVersion) AS groups, packageId, videoId, view, LENGTH AS videoLength, position, MEDIA
FROM (
SELECT BELOW_CEILING FROM stretch FINAL WHERE accountId = {accountId:UInt32} AND slot >= {from0:UInt32} AND slot < {until0:UInt32} AND suspect = ''
)
WHERE (plays > 0 OR playMs > 0) AND position > 0 AND videoLength > 0 AND NUMBER IN_PASS AND os = 'iOS' AND country != ''
)
UNION ALL
SELECT groups, packageId, videoId, view, videoLength, toInt64(arrayJoin([1, -1])) AS sign, toUInt64(least(position - 1 + mediaFrom, videoLength)) AS rangeFrom, toUInt64(least(position - 1 + mediaUntil, videoLength)) AS rangeUntil, toUInt64(position - 1 + mediaUntil) AS rangeEnd
FROM (
SELECT tuple(country, osVersion) AS groups, packageId, videoId, view, LENGTH AS videoLength, position, MEDIA
FROM (
SELECT * FROM (
SELECT BELOW_CEILING FROM stretch FINAL PREWHERE reinterpretAsUInt64(view) IN (SELECT reinterpretAsUInt64(view) OF_UNCOUNTED) WHERE accountId = {accountId:UInt32} AND slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32} AND suspect = ''
)
WHERE NUMBER IN (SELECT NUMBER OF_UNCOUNTED) AND NUMBER NOT IN (SELECT NUMBER FROM audience_seen
  WHERE OF_COUNTING)
)
WHERE (plays > 0 OR playMs > 0) AND position > 0 AND videoLength > 0 AND NUMBER IN_PASS AND os = 'iOS' AND country != ''
)
UNION ALL
SELECT groups, packageId, videoId, view, videoLength, toInt64(1) AS sign, toUInt64(least(beginMs, videoLength)) AS rangeFrom, toUInt64(least(beginMs + ms, videoLength)) AS rangeUntil, beginMs + ms AS rangeEnd
FROM (
SELECT LENGTH AS videoLength, tuple(country, osVersion) AS groups, packageId, videoId, view, fromMs, rangeMs
FROM (
SELECT *, view = toUUID('00000000-0000-0000-0000-000000000000') AS isTogether
FROM audience_seen
WHERE OF_COUNTING AND view != toUUID('00000000-0000-0000-0000-000000000000')
LIMIT 1 BY videoId, slot, packageId, view, portion
)
WHERE videoLength > 0 AND os = 'iOS' AND country != '' AND NUMBER IN_PASS
)
ARRAY JOIN fromMs AS beginMs, rangeMs AS ms
)
GROUP BY GROUPING SETS ((groups, packageId, videoId, view, sign), (packageId, videoId, view, sign))`;

/** Ends a statement: the counts of each day as a whole. */
const countsOfAll = `FROM (
SELECT *
FROM (
SELECT slot, plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = 'total' AND OF_COUNTING
)
))
)`;

test('counts of days, and beside them what is not in the counts', () => {
  const { sql } = compileFacts(plan, 11, { index: 0, of: 2 });
  expect(
    shortened(sql),
  ).toBe(`SELECT isTotal, key0, key1, whole_facts AS count_facts, whole_days AS count_days, whole_plays AS count_plays, whole_views AS count_views, whole_viewers AS count_viewers, whole_completions AS count_completions, whole_reached25 AS count_reached25, whole_reached100 AS count_reached100, whole_allViews AS count_allViews, whole_knownViews AS count_knownViews, whole_namedViews AS count_namedViews
FROM (
SELECT isTotal, key0, key1, sum(count_facts) AS whole_facts, sum(count_days) AS whole_days, sum(count_plays) AS whole_plays, sum(count_views) AS whole_views, sum(count_viewers) AS whole_viewers, sum(count_completions) AS whole_completions, sum(count_reached25) AS whole_reached25, sum(count_reached100) AS whole_reached100, sum(count_allViews) AS whole_allViews, sum(count_knownViews) AS whole_knownViews, sum(count_namedViews) AS whole_namedViews
FROM (
(SELECT grouping(groups) = 1 AS isTotal, if(isTotal, '', toString(tupleElement(groups, 1))) AS key0, if(isTotal, '', toString(tupleElement(groups, 2))) AS key1, toUInt64(countIf(NOT isOfDay AND viewNumber IN_PASS)) AS count_facts, toUInt64(0) AS count_days, toUInt64(sumIf(plays, NOT isOfDay AND viewNumber IN_PASS)) AS count_plays, toUInt64(uniqExactIf(viewNumber, (NOT isCounted OR isAgain) AND viewNumber IN_PASS) - uniqExactIf(viewNumber, isCounted AND isAgain AND (NOT isCounted OR isAgain) AND viewNumber IN_PASS)) AS count_views, toUInt64(uniqExactIf(if(viewer = 0, viewNumber, viewer), if(viewer = 0, viewNumber, viewer) IN_PASS) - uniqExactIf(if(viewer = 0, viewNumber, viewer), isCounted AND bitShiftRight(viewer, 62) != 2 AND if(viewer = 0, viewNumber, viewer) IN_PASS)) AS count_viewers, toUInt64(0) AS count_completions, toUInt64(0) AS count_reached25, toUInt64(0) AS count_reached100, toUInt64(uniqExactIf(viewNumber, (NOT isCounted OR isAgain) AND viewNumber IN_PASS) - uniqExactIf(viewNumber, isCounted AND isAgain AND (NOT isCounted OR isAgain) AND viewNumber IN_PASS)) AS count_allViews, toUInt64(uniqExactIf(viewNumber, (NOT isCounted OR isAgain) AND viewer > 0 AND viewNumber IN_PASS) - uniqExactIf(viewNumber, isCounted AND isAgain AND (NOT isCounted OR isAgain) AND viewer > 0 AND viewNumber IN_PASS)) AS count_knownViews, toUInt64(uniqExactIf(viewNumber, (NOT isCounted OR isAgain) AND bitShiftRight(viewer, 62) = 2 AND viewNumber IN_PASS) - uniqExactIf(viewNumber, isCounted AND isAgain AND (NOT isCounted OR isAgain) AND bitShiftRight(viewer, 62) = 2 AND viewNumber IN_PASS)) AS count_namedViews
FROM (
SELECT tuple(country, osVersion) AS groups, plays, playMs, countedMs, viewer, NUMBER AS viewNumber, isOfDay, isCounted, isAgain, MEDIA
FROM (
(SELECT COLUMNS, countedMs, 0 AS isOfDay, 0 AS isCounted, 1 AS isAgain
FROM (
SELECT COLUMNS, playMs AS countedMs FROM (
  SELECT BELOW_CEILING FROM stretch FINAL WHERE accountId = {accountId:UInt32} AND slot >= {from0:UInt32} AND slot < {until0:UInt32} AND suspect = ''
)
))
UNION ALL
(SELECT slot, packageId, videoId, os, osVersion, view, 0 AS stretch, 0 AS plays, 1 AS playMs, 0 AS startMs, 0 AS laterMs, 0 AS position, 0 AS mediaMs, viewer, country, device, browser, browserVersion, host, page, referrer, player, label1, label2, label3, label4, label5, label6, label7, label8, label9, label10, 0 AS countedMs, 1 AS isOfDay, 0 AS isCounted, 1 AS isAgain
FROM (SELECT * FROM irregular_fact
WHERE OF_COUNTING))
UNION ALL
(SELECT COLUMNS, playMs AS countedMs, 1 AS isOfDay, 1 AS isCounted, NUMBER IN (SELECT NUMBER OF_UNCOUNTED) AS isAgain
FROM (
SELECT BELOW_CEILING FROM stretch FINAL PREWHERE reinterpretAsUInt64(view) IN (SELECT reinterpretAsUInt64(view) OF_UNCOUNTED) WHERE accountId = {accountId:UInt32} AND slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32} AND suspect = ''
)
WHERE NUMBER IN (SELECT NUMBER OF_UNCOUNTED) AND NUMBER NOT IN (SELECT NUMBER FROM (SELECT * FROM irregular_fact
WHERE OF_COUNTING)))
UNION ALL
(SELECT COLUMNS, playMs AS countedMs, 1 AS isOfDay, 1 AS isCounted, NUMBER IN (SELECT NUMBER OF_UNCOUNTED) AS isAgain
FROM (
SELECT BELOW_CEILING FROM stretch FINAL WHERE accountId = {accountId:UInt32} AND slot >= {nearfrom0:UInt32} AND slot < {nearuntil0:UInt32} AND suspect = ''
)
WHERE bitShiftRight(viewer, 62) = 1 AND viewer IN (SELECT viewer OF_UNCOUNTED) AND NUMBER NOT IN (SELECT NUMBER FROM (SELECT * FROM irregular_fact
WHERE OF_COUNTING)))
UNION ALL
(SELECT COLUMNS, playMs AS countedMs, 1 AS isOfDay, 1 AS isCounted, NUMBER IN (SELECT NUMBER OF_UNCOUNTED) AS isAgain
FROM (
SELECT BELOW_CEILING FROM stretch FINAL WHERE accountId = {accountId:UInt32} AND slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32} AND suspect = ''
)
WHERE bitShiftRight(viewer, 62) = 2 AND NUMBER NOT IN (SELECT NUMBER FROM (SELECT * FROM irregular_fact
WHERE OF_COUNTING)))
)
WHERE (plays > 0 OR playMs > 0) AND os = 'iOS' AND country != ''
)
GROUP BY ROLLUP(groups)
LIMIT 12)
UNION ALL
(SELECT isWhole AS isTotal, if(isTotal, '', toString(tupleElement(groups, 1))) AS key0, if(isTotal, '', toString(tupleElement(groups, 2))) AS key1, toUInt64(0) AS count_facts, toUInt64(0) AS count_days, toUInt64(0) AS count_plays, toUInt64(0) AS count_views, toUInt64(0) AS count_viewers, toUInt64(sumIf(sign, seen * 100 >= length * 95)) AS count_completions, toUInt64(sumIf(sign, furthest * 100 >= length * 25)) AS count_reached25, toUInt64(sumIf(sign, furthest + 1000 >= length)) AS count_reached100, toUInt64(0) AS count_allViews, toUInt64(0) AS count_knownViews, toUInt64(0) AS count_namedViews
FROM (
${views}
)
GROUP BY isWhole, groups
LIMIT 12)
UNION ALL
(SELECT grouping(groups) = 1 AS isTotal, if(isTotal, '', toString(tupleElement(groups, 1))) AS key0, if(isTotal, '', toString(tupleElement(groups, 2))) AS key1, toUInt64(0) AS count_facts, toUInt64(0) AS count_days, toUInt64(0) AS count_plays, toUInt64(0) AS count_views, toUInt64(0) AS count_viewers, toUInt64(sum(arrayCount(own -> own * 100 >= length * 95, seen))) AS count_completions, toUInt64(sum(arrayCount(own -> own * 100 >= length * 25, furthest))) AS count_reached25, toUInt64(sum(arrayCount(own -> own + 1000 >= length, furthest))) AS count_reached100, toUInt64(0) AS count_allViews, toUInt64(0) AS count_knownViews, toUInt64(0) AS count_namedViews
FROM (
SELECT groups, videoLength AS length, isFirst, arrayMap((at, ms) -> toUInt64(least(at + ms, videoLength)) - toUInt64(least(at, videoLength)), fromMs, rangeMs) AS lengths, arrayMap(own -> arraySum(own), arraySplit((_, first) -> first, lengths, isFirst)) AS seen, arrayPushBack(arrayPopFront(isFirst), 1) AS isLast, arrayFilter((_, last) -> last, arrayMap((at, ms) -> at + ms, fromMs, rangeMs),
  isLast) AS furthest
FROM (
SELECT LENGTH AS videoLength, tuple(country, osVersion) AS groups, isFirst, fromMs, rangeMs
FROM (
SELECT *, view = toUUID('00000000-0000-0000-0000-000000000000') AS isTogether
FROM audience_seen
WHERE OF_COUNTING AND view = toUUID('00000000-0000-0000-0000-000000000000')
LIMIT 1 BY videoId, slot, packageId, view, portion
)
WHERE notEmpty(isFirst) AND videoLength > 0 AND os = 'iOS' AND country != ''
)
)
GROUP BY ROLLUP(groups)
LIMIT 12)
UNION ALL
(SELECT 0 AS isTotal, toString(group0) AS key0, toString(group1) AS key1, toUInt64(countIf(plays > 0 OR playMs > 0)) AS count_facts, toUInt64(count()) AS count_days, toUInt64(sum(plays)) AS count_plays, toUInt64(sum(views)) AS count_views, toUInt64(sum(viewers)) AS count_viewers, toUInt64(0) AS count_completions, toUInt64(0) AS count_reached25, toUInt64(0) AS count_reached100, toUInt64(sum(views)) AS count_allViews, toUInt64(sum(knownViews)) AS count_knownViews, toUInt64(sum(namedViews)) AS count_namedViews
FROM (
SELECT country AS group0, osVersion AS group1, *
FROM (
SELECT slot, value AS os, plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = 'os' AND OF_COUNTING
)
WHERE (plays > 0 OR playMs > 0)
)
GROUP BY group0, group1
LIMIT 11)
UNION ALL
(SELECT 1 AS isTotal, '' AS key0, '' AS key1, toUInt64(countIf(plays > 0 OR playMs > 0)) AS count_facts, toUInt64(count()) AS count_days, toUInt64(sum(plays)) AS count_plays, toUInt64(sum(views)) AS count_views, toUInt64(sum(viewers)) AS count_viewers, toUInt64(0) AS count_completions, toUInt64(0) AS count_reached25, toUInt64(0) AS count_reached100, toUInt64(sum(views)) AS count_allViews, toUInt64(sum(knownViews)) AS count_knownViews, toUInt64(sum(namedViews)) AS count_namedViews
${countsOfAll}
GROUP BY isTotal, key0, key1
)`);
});

test('of folders: their viewers, of each day by itself, and of all where some are in none', () => {
  const { audienceDays } = plan;
  if (audienceDays === undefined) throw new Error('There are days');
  const folders = { ...audienceDays, rowsAre: 'folders' } as const;
  const ofFolders = { ...plan, counts: ['viewers'] as const, audienceDays: folders };
  const partsOf = (counts: FactsPlan['counts'], index: number) => {
    const { sql } = compileFacts({ ...ofFolders, counts }, 11, { index, of: 2 });
    expect(sql).not.toMatch(/^\((?!SELECT )/m);
    return sql.split('\nUNION ALL\n(').filter((part) => part.includes('AS count_viewers'));
  };
  const [, rows, total, ...others] = partsOf(['viewers'], 1);
  expect(others).toEqual([]);
  const shown = (viewers: string) =>
    `toUInt64(0) AS count_facts, toUInt64(0) AS count_days, toUInt64(${viewers}) AS count_viewers, toUInt64(0) AS count_allViews, toUInt64(0) AS count_knownViews, toUInt64(0) AS count_namedViews`;
  const read = (condition: string) =>
    `WHERE accountId = {accountId:UInt32} AND slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32} AND suspect = '' AND plays > 0 AND bitShiftRight(viewer, 62) = 1${condition} AND viewer NOT IN (SELECT viewer FROM (SELECT * FROM irregular_fact
WHERE OF_COUNTING)) AND viewer IN_PASS AND country != ''`;
  expect(
    shortened(rows ?? ''),
  ).toBe(`SELECT 0 AS isTotal, toString(group0) AS key0, toString(group1) AS key1, ${shown('sum(dayViewers)')}
FROM (
SELECT group0, group1, uniqExact(viewer) AS dayViewers
FROM (
SELECT country AS group0, osVersion AS group1, toStartOfDay(slot) AS day, viewer
FROM stretch
${read('')}
)
GROUP BY group0, group1, day
)
GROUP BY group0, group1
LIMIT 11)`);
  const counts = (grouping: string, os: string) =>
    `SELECT slot, ${os}plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = '${grouping}' AND OF_COUNTING`;
  const partly = `SELECT slot FROM (
SELECT slot, views AS dayViews, 0 AS ownViews FROM (${counts('total', '')})
UNION ALL
SELECT slot, 0, views FROM (${counts('os', 'value AS os, ')}) WHERE country != ''
)
GROUP BY slot HAVING sum(dayViews) != sum(ownViews)`;
  expect(
    shortened(total ?? ''),
  ).toBe(`SELECT 1 AS isTotal, '' AS key0, '' AS key1, ${shown('sum(dayViewers)')}
FROM (
SELECT uniqExact(viewer) AS dayViewers
FROM (
SELECT toStartOfDay(slot) AS day, viewer
FROM stretch
${read(` AND toStartOfDay(slot) IN (${partly})`)}
)
GROUP BY day
))
)
GROUP BY isTotal, key0, key1
)`);
  const whole = partsOf(['viewers'], 0).filter((part) => part.includes('viewers - (views'));
  expect(whole.map(shortened)).toEqual([
    `SELECT 1 AS isTotal, '' AS key0, '' AS key1, ${shown('sum(viewers - (views - knownViews))')}
FROM (
${counts('total', '')}
)
WHERE slot NOT IN (${partly}))
)
GROUP BY isTotal, key0, key1
)`,
  ]);
  expect(compileFacts({ ...ofFolders, counts: ['views'] }, 11).sql).not.toContain('dayViewers');
});

/** One day, and nothing beside it. */
const alone: FactsPlan = {
  ...plan,
  keys: { sql: [], parameters: {}, conditions: [] },
  conditions: { sql: [], parameters: {} },
  counts: ['views', 'seenMs'],
  audienceDays: {
    ...{ grouping: 'total', rowsAre: 'values', rest: [], uncounted: [], playsBeside: 0 },
    days: [{ ...day, marks: 0, namedViews: 0 }],
  },
};

test('days alone, in all', () => {
  const { sql, parameters } = compileFacts(alone, 11);
  expect(
    shortened(sql),
  ).toBe(`SELECT isTotal, whole_facts AS count_facts, whole_days AS count_days, whole_views AS count_views, whole_seenMs AS count_seenMs
FROM (
SELECT isTotal, sum(count_facts) AS whole_facts, sum(count_days) AS whole_days, sum(count_views) AS whole_views, sum(count_seenMs) AS whole_seenMs
FROM (
(SELECT 1 AS isTotal, toUInt64(0) AS count_facts, toUInt64(0) AS count_days, toUInt64(0) AS count_views, toUInt64(sum(arraySum(lengths))) AS count_seenMs
FROM (
SELECT videoLength AS length, isFirst, arrayMap((at, ms) -> toUInt64(least(at + ms, videoLength)) - toUInt64(least(at, videoLength)), fromMs, rangeMs) AS lengths, arrayMap(own -> arraySum(own), arraySplit((_, first) -> first, lengths, isFirst)) AS seen, arrayPushBack(arrayPopFront(isFirst), 1) AS isLast, arrayFilter((_, last) -> last, arrayMap((at, ms) -> at + ms, fromMs, rangeMs),
  isLast) AS furthest
FROM (
SELECT LENGTH AS videoLength, isFirst, fromMs, rangeMs
FROM (
SELECT *, view = toUUID('00000000-0000-0000-0000-000000000000') AS isTogether
FROM audience_seen
WHERE OF_COUNTING AND view = toUUID('00000000-0000-0000-0000-000000000000')
LIMIT 1 BY videoId, slot, packageId, view, portion
)
WHERE notEmpty(isFirst) AND videoLength > 0
)
)
LIMIT 12)
UNION ALL
(SELECT 1 AS isTotal, toUInt64(countIf(plays > 0 OR playMs > 0)) AS count_facts, toUInt64(count()) AS count_days, toUInt64(sum(views)) AS count_views, toUInt64(0) AS count_seenMs
${countsOfAll}
GROUP BY isTotal
)`);
  expect(parameters).toMatchObject({ lengthVideosPart0: [21], lengthsPart0: [60_000] });
});

test('days alone, of one value', () => {
  const ofOne: FactsPlan = {
    ...alone,
    keys: { sql: ['country'], parameters: {}, conditions: [] },
    conditions: { sql: ["(country IN ['KR'])"], parameters: {} },
    counts: ['views', 'viewers'],
    ...(alone.audienceDays && {
      audienceDays: { ...alone.audienceDays, grouping: 'country', rowsAre: 'one value' },
    }),
  };
  expect(
    shortened(compileFacts(ofOne, 11).sql),
  ).toBe(`SELECT isTotal, key0, whole_facts AS count_facts, whole_days AS count_days, whole_views AS count_views, whole_viewers AS count_viewers, whole_allViews AS count_allViews, whole_knownViews AS count_knownViews, whole_namedViews AS count_namedViews
FROM (
SELECT isTotal, key0, sum(count_facts) AS whole_facts, sum(count_days) AS whole_days, sum(count_views) AS whole_views, sum(count_viewers) AS whole_viewers, sum(count_allViews) AS whole_allViews, sum(count_knownViews) AS whole_knownViews, sum(count_namedViews) AS whole_namedViews
FROM (
(SELECT 0 AS isTotal, toString(group0) AS key0, toUInt64(countIf(plays > 0 OR playMs > 0)) AS count_facts, toUInt64(0) AS count_days, toUInt64(sum(views)) AS count_views, toUInt64(sum(viewers)) AS count_viewers, toUInt64(sum(views)) AS count_allViews, toUInt64(sum(knownViews)) AS count_knownViews, toUInt64(sum(namedViews)) AS count_namedViews
FROM (
SELECT country AS group0, *
FROM (
SELECT slot, value AS country, plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = 'country' AND OF_COUNTING
)
WHERE (plays > 0 OR playMs > 0) AND (country IN ['KR'])
)
GROUP BY group0
LIMIT 11)
UNION ALL
(SELECT 1 AS isTotal, '' AS key0, toUInt64(countIf(plays > 0 OR playMs > 0)) AS count_facts, toUInt64(0) AS count_days, toUInt64(sum(views)) AS count_views, toUInt64(sum(viewers)) AS count_viewers, toUInt64(sum(views)) AS count_allViews, toUInt64(sum(knownViews)) AS count_knownViews, toUInt64(sum(namedViews)) AS count_namedViews
FROM (
SELECT *
FROM (
SELECT slot, value AS country, plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = 'country' AND OF_COUNTING
)
WHERE (plays > 0 OR playMs > 0) AND (country IN ['KR'])
))
UNION ALL
(SELECT 1 AS isTotal, '' AS key0, toUInt64(0) AS count_facts, toUInt64(count()) AS count_days, toUInt64(0) AS count_views, toUInt64(0) AS count_viewers, toUInt64(0) AS count_allViews, toUInt64(0) AS count_knownViews, toUInt64(0) AS count_namedViews
FROM (
SELECT slot, plays, playMs, mediaMs, views, knownViews, namedViews, viewers
FROM audience_day FINAL
WHERE grouping = 'total' AND OF_COUNTING
))
)
GROUP BY isTotal, key0
)`);
});
