/** The statements of curves as SQL. That they count right, test/report shows. */
import { expect, test } from 'vitest';
import type { CountedDays } from '../counted-days.ts';
import { selectConcurrency, selectPlaying } from './concurrency-sql.ts';
import type { AskedFacts, QuestionFacts } from './facts-of-question.ts';
import { selectKept } from './kept-peaks.ts';
import { selectPlayback } from './playback.ts';
import { selectRetention } from './retention-sql.ts';

const span = (from: number, until: number) => ({ fromMs: from * 1_000, untilMs: until * 1_000 });
/** A day of Seoul, beginning at second 900. */
const clock = [{ sinceMs: 900_000, offsetMs: 32_400_000 }];
const ofClock = { clockSince0: 900, clockOffset0: 32_400 };
const asked: AskedFacts = {
  ...{
    accountId: 7,
    timeZone: 'UTC',
    spans: [span(900, 1_800)],
    localSpans: [],
    clock,
    parameters: ofClock,
  },
};
const facts: QuestionFacts = { ...asked, accepted: [], crowded: [], mergesAll: true };
const ofVideo = { videoId: 21, packageId: 3 };
const bound = { accountId: 7, from0: 900, until0: 1_800, ...ofClock };

/** Other clocks than one of a whole range: the latest offset that applies. */
const twoClocks = [...clock, { sinceMs: 1_800_000, offsetMs: 36_000_000 }];
const eitherOffset =
  'multiIf(slot >= {clockSince1:UInt32}, {clockOffset1:Int32}, {clockOffset0:Int32})';

const slots = 'slot >= {from0:UInt32} AND slot < {until0:UInt32}';
const labels = Array.from({ length: 10 }, (_, index) => `label${index + 1}`).join(', ');
const columnsWith = (playMs: string) =>
  `slot, packageId, videoId, os, osVersion, view, stretch, plays, ${playMs}, startMs, laterMs, ` +
  'position, mediaMs, viewer, country, device, browser, browserVersion, host, page, referrer, ' +
  `player, ${labels}`;
const belowCeiling =
  'if(ceiling = 0, playMs, least(playMs, toUInt32(bitAnd(ceiling, 4294967295)))) AS playMs';
const factsWhere = (further: string) => `SELECT ${columnsWith('playMs')}, playMs AS countedMs FROM (
  SELECT ${columnsWith(belowCeiling)} FROM stretch FINAL WHERE accountId = {accountId:UInt32} AND ${slots}${further} AND suspect = ''
)`;
const allFacts = factsWhere('');
const filteredFacts = `SELECT * FROM (
${factsWhere(' AND packageId = {packageId:UInt32} AND videoId = {videoId:UInt32}')}
)
WHERE os = 'iOS' AND country = 'KR'`;
const filters = { conditions: ["os = 'iOS'", "country = 'KR'"] };

const partFromMs = 'toInt64(if(startMs = 0, 0, greatest(startMs, toUnixTimestamp(slot) * 1000)))';
const peaks = `arraySort(groupArrayArrayIf([fromMs * 2 + 1, untilMs * 2], isDated)) AS points,
    arrayCumSum(point -> if(point % 2 = 1, 1, -1), points) AS playing,
    arrayMax(playing) AS unitPeak,
    intDiv(points[indexOf(playing, unitPeak)], 2) AS unitPeakAtMs,`;

const concurrencyOf = (key: string, units: string) => `SELECT ${key} AS key,
  max((unitPeak, -toInt64(unitPeakAtMs))) AS top, top.1 AS peak, -top.2 AS peakAtMs,
  sum(unitPlayMs) AS playMs, sum(unitSlotPlayMs) AS slotPlayMs
FROM (
${units}
)
GROUP BY key`;

const bySlot = `  SELECT slot, ${peaks}
    sum(countedMs) AS unitPlayMs, 0 AS unitSlotPlayMs
  FROM (
    SELECT slot, countedMs, startMs > 0 AS isDated, ${partFromMs} AS fromMs,
      fromMs + playMs AS untilMs
    FROM (
${allFacts}
    )
    WHERE playMs > 0
  )
  GROUP BY slot`;

const byMinute = `  SELECT slot, unit, ${peaks}
    sumIf(greatest(toInt64(least(countedUntilMs, untilMs)) - toInt64(fromMs), 0), isDated)
      AS unitPlayMs,
    sumIf(countedMs, NOT isDated) AS unitSlotPlayMs
  FROM (
    SELECT slot, countedMs, startMs > 0 AS isDated, ${partFromMs} AS partMs,
      partMs + countedMs AS countedUntilMs,
      arrayJoin(if(isDated,
        range(intDiv(partMs, 60000), intDiv(partMs + playMs - 1, 60000) + 1),
        arrayMap(minute -> toInt64(intDiv(toUnixTimestamp(slot), 60) + minute),
          range(15)))) AS unit,
      greatest(partMs, unit * 60000) AS fromMs,
      least(partMs + playMs, (unit + 1) * 60000) AS untilMs
    FROM (
${filteredFacts}
    )
    WHERE playMs > 0
  )
  GROUP BY slot, unit`;

test.each([
  {
    name: 'peaks of days',
    interval: 'day',
    about: facts,
    sql: concurrencyOf(
      'toString(intDiv((toUnixTimestamp(slot) + {clockOffset0:Int32}), 86400) * 86400)',
      bySlot,
    ),
    parameters: bound,
  },
  {
    name: 'peaks of hours, over a change of the clock',
    interval: 'hour',
    about: { ...facts, clock: twoClocks },
    sql: concurrencyOf(
      `concat(toString(intDiv((toUnixTimestamp(slot) + ${eitherOffset}), 3600) * 3600), ' ', toString(${eitherOffset}))`,
      bySlot,
    ),
    parameters: bound,
  },
  {
    name: 'peaks of minutes, of a video in a package and filtered',
    interval: 'minute',
    about: { ...facts, ...ofVideo, ...filters },
    sql: concurrencyOf(
      "concat(toString(intDiv((intDiv(unit * 60000, 1000) + {clockOffset0:Int32}), 60) * 60), ' ', toString({clockOffset0:Int32}))",
      byMinute,
    ),
    parameters: { ...bound, ...ofVideo },
  },
] as const)('$name', ({ interval, about, sql, parameters }) => {
  expect(selectConcurrency(about, interval)).toEqual({
    ...{ name: 'concurrency', sql, parameters },
    groupsBySlot: true,
  });
});

const keptOf = (key: string, conditions: string) => `SELECT ${key} AS key,
  max((slotPeak, -slotPeakAtMs)) AS top, top.1 AS peak, -top.2 AS peakAtMs,
  sum(slotMs) AS playMs, 0 AS slotPlayMs
FROM (
SELECT slot, toUInt32(bitShiftRight(max(kept), 32)) AS slotPeak,
  if(slotPeak = 0, 0,
    toInt64(toUnixTimestamp(slot)) * 1000 + (4294967295 - toUInt32(max(kept)))) AS slotPeakAtMs,
  sum(largestMs) AS slotMs
FROM (
SELECT slot, toUInt256(0) AS kept, toUInt64(max(playMs)) AS largestMs
FROM playback_sum
WHERE accountId = {accountId:UInt32} AND ${conditions}
GROUP BY slot, packageId, videoId
UNION ALL
SELECT slot, max(peak), 0
FROM peak
WHERE accountId = {accountId:UInt32} AND ${conditions}
GROUP BY slot
)
GROUP BY slot
)
GROUP BY key`;
const days = 'toString(intDiv((toUnixTimestamp(slot) + {clockOffset0:Int32}), 86400) * 86400)';
const hours = `concat(toString(intDiv((toUnixTimestamp(slot) + {clockOffset0:Int32}), 3600) * 3600), ' ', toString({clockOffset0:Int32}))`;
const without = [
  'slot >= {without_from0:UInt32} AND slot < {without_until0:UInt32}',
  'slot >= {without_from1:UInt32} AND slot < {without_until1:UInt32}',
] as const;

test.each([
  {
    name: 'kept peaks of an account, by days',
    interval: 'day',
    about: asked,
    except: [],
    sql: keptOf(days, `grouping = 'account' AND videoId = 0 AND packageId = 0 AND ${slots}`),
    parameters: bound,
  },
  {
    name: 'kept peaks of a package, by hours, without a span',
    interval: 'hour',
    about: { ...asked, packageId: 3 },
    except: [span(900, 1_000)],
    sql: keptOf(
      hours,
      `grouping = 'package' AND videoId = 0 AND packageId = {packageId:UInt32} AND ${slots} AND NOT (${without[0]})`,
    ),
    parameters: { ...bound, packageId: 3, without_from0: 900, without_until0: 1_000 },
  },
  {
    name: 'kept peaks of a video in a package',
    interval: 'day',
    about: { ...asked, ...ofVideo },
    except: [],
    sql: keptOf(
      days,
      `grouping = 'video' AND videoId = {videoId:UInt32} AND packageId = {packageId:UInt32} AND ${slots}`,
    ),
    parameters: { ...bound, ...ofVideo },
  },
  {
    name: 'kept peaks of a video in all packages, without two spans',
    interval: 'day',
    about: { ...asked, videoId: 21 },
    except: [span(900, 1_000), span(1_100, 1_200)],
    sql: keptOf(
      days,
      `grouping = 'video' AND videoId = {videoId:UInt32} AND ${slots} AND NOT ((${without.join(' OR ')}))`,
    ),
    parameters: {
      ...{ ...bound, videoId: 21, without_from0: 900, without_until0: 1_000 },
      ...{ without_from1: 1_100, without_until1: 1_200 },
    },
  },
] as const)('$name', ({ interval, about, except, sql, parameters }) => {
  expect(selectKept(about, interval, except)).toEqual({
    name: 'concurrency of slots',
    sql,
    parameters,
  });
});

test('who watches now', () => {
  expect(selectPlaying(facts, 1_755_000, 100)).toEqual({
    name: 'live',
    sql: `SELECT videoId, count() AS playing, sum(playing) OVER () AS allPlaying
FROM (
${allFacts}
)
WHERE laterMs = 0 AND startMs > 0 AND ${partFromMs} + playMs >= {sinceMs:UInt64}
GROUP BY videoId
ORDER BY playing DESC, videoId
LIMIT {most:UInt32}`,
    parameters: { ...bound, sinceMs: 1_755_000, most: 100 },
  });
});

test('whether anything played', () => {
  const within = { fromMs: 1_000_000, untilMs: 1_600_000 };
  expect(selectPlayback({ ...facts, ...ofVideo, ...filters }, within)).toEqual({
    name: 'playback',
    sql: `SELECT toUInt32(count()) AS parts
FROM (
  SELECT startMs > 0 AS isDated, ${partFromMs} AS partMs, partMs + playMs AS partUntilMs
  FROM (
${filteredFacts}
  )
  WHERE playMs > 0
)
WHERE NOT isDated OR (partMs < {untilMs:UInt64} AND partUntilMs > {fromMs:UInt64})`,
    parameters: { ...bound, ...ofVideo, ...within },
  });
});

const partOf = (position: string) =>
  `toInt32(intDiv((${position} + 1) * {parts:Int64} - 1, {lengthMs:Int64}))`;
const changeAt = (at: string, by: string) =>
  `(${partOf(at)}, toInt64(0), toInt64(${by}), toInt128(${at}) * ${by})`;

test('how far a video is watched', () => {
  const about = { ...facts, ...ofVideo, ...filters };
  expect(selectRetention(about, { lengthMs: 60_000, parts: 100 })).toEqual({
    name: 'retention',
    sql: `SELECT change.1 AS part, toString(sum(change.2)) AS audience,
  toString(sum(change.3)) AS ranges, toString(sum(change.4)) AS positionsMs
FROM (
SELECT (change.1, change.2 * sign, change.3 * sign, change.4 * sign) AS change
FROM (
  SELECT sign, arraySort(groupArrayArray(
      if(fromMs < seenUntilMs, [fromMs * 2, seenUntilMs * 2 + 1], []))) AS points,
    groupArrayIf((greatest(untilMs, fromMs), seenUntilMs),
      fromMs < seenUntilMs AND untilMs < seenUntilMs) AS cuts,
    max(isPositioned) AS isPositionedView,
    arrayMap(point -> 1 - 2 * toInt64(point % 2), points) AS signs,
    arrayCumSum(signs) AS open,
    arrayMap(point -> intDiv(point, 2), points) AS positions,
    arrayFilter((at, by, count) -> by = 1 AND count = 1, positions, signs, open) AS begins,
    arrayFilter((at, count) -> count = 0, positions, open) AS ends,
    arrayMap(at -> ${partOf('at')}, begins) AS firsts,
    arrayMap(at -> ${partOf('(at - 1)')} + 1, ends) AS nexts,
    arrayMap((first, next) -> greatest(first, next), firsts,
      arrayPopBack(arrayPushFront(nexts, 0))) AS entered
  FROM (
    SELECT packageId, view, sign, isPositioned, fromMs, seenUntilMs, untilMs
    FROM (
      SELECT packageId, view, toInt64(arrayJoin([1])) AS sign,
        position > 0 AS isPositioned,
        ${partFromMs} - startMs AS beforeMs,
        greatest(beforeMs + playMs + laterMs, 1) AS wholeMs,
        intDiv(mediaMs * beforeMs, wholeMs) AS beganMs,
        intDiv(mediaMs * (beforeMs + playMs), wholeMs) - beganMs AS partMs,
        least(if(isPositioned, position - 1, 0), {lengthMs:Int64}) AS startedMs,
        toInt64(startedMs + beganMs) AS fromMs,
        toInt64(if(isPositioned, least({lengthMs:Int64}, fromMs + partMs), 0)) AS seenUntilMs,
        toInt64(if(isPositioned, least({lengthMs:Int64}, fromMs
          + intDiv(partMs * countedMs, greatest(playMs, 1))), 0)) AS untilMs
      FROM (
${filteredFacts}
      )
    )
  )
  GROUP BY packageId, view, sign
)
ARRAY JOIN arrayConcat(
  [(toInt32(-1), toInt64(isPositionedView), toInt64(1),
    toInt128(arraySum((begin, end) -> end - begin, begins, ends)))],
  arrayMap(part -> (part, toInt64(1), toInt64(0), toInt128(0)), entered),
  arrayMap(part -> (part, toInt64(-1), toInt64(0), toInt128(0)), nexts),
  arrayMap((at, by) -> ${changeAt('at', 'by')}, positions, signs),
  arrayMap(cut -> ${changeAt('cut.1', '-1')}, cuts),
  arrayMap(cut -> ${changeAt('cut.2', '1')}, cuts)
) AS change
)
GROUP BY part`,
    parameters: { ...bound, ...ofVideo, lengthMs: 60_000, parts: 100 },
  });
});

const countedDay = { day: 86_400_000, countedAtMs: 7, marks: 0, namedViews: 0 };
const inDay = 'slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32}';
const viewNumber = 'bitAnd(cityHash64(packageId, videoId, view), 4611686018427387903)';
const isOfCounting = `accountId = {accountId:UInt32}
  AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND toUnixTimestamp64Milli(countedAt) = transform(toUnixTimestamp(toStartOfDay(slot)),
  {countedDays:Array(UInt32)}, {countedAt:Array(Int64)}, toInt64(0))`;
const ofIds = ' AND packageId = {packageId:UInt32} AND videoId = {videoId:UInt32}';
const onUncounted = (value: string) => `${value} IN (SELECT ${value} FROM stretch
  WHERE accountId = {accountId:UInt32} AND slot >= {uncountedfrom0:UInt32} AND slot < {uncounteduntil0:UInt32}${ofIds})`;
const cutAt = (position: string) => `least(toInt64(${position}), {lengthMs:Int64})`;

const readsFacts = 'toInt64(arrayJoin([1])) AS sign';
const readsAgain = 'toInt64(arrayJoin([1, -1])) AS sign';
const ofMarked = " AND view != toUUID('00000000-0000-0000-0000-000000000000')";

test.each<[string, Partial<CountedDays>, readonly string[]]>([
  ['all', {}, []],
  ['all but a rest', { rest: [span(900, 1_800)] }, [readsFacts]],
  ['days with marks', { days: [{ ...countedDay, marks: 1 }] }, [ofMarked]],
  [
    'all but a day without counts',
    { rest: [span(900, 1_800)], uncounted: [span(900, 1_800)] },
    [readsFacts, readsAgain],
  ],
])('of days as they were counted: %s', (_, change, parts) => {
  const counted = { days: [countedDay], rest: [], uncounted: [], ...change };
  const about = { ...facts, ...ofVideo };
  const { sql, parameters } = selectRetention(about, { lengthMs: 60_000, parts: 100 }, counted);
  for (const part of [readsFacts, readsAgain, ofMarked]) {
    expect(sql.includes(part)).toBe(parts.includes(part));
  }
  expect(sql.match(/UNION ALL/g)).toHaveLength(1 + parts.length);
  expect(sql).toContain(`UNION ALL
SELECT (toInt32(-2), toInt64(count()), toInt64(0), toInt128(0)) AS change
FROM audience_day FINAL
WHERE grouping = 'total' AND ${isOfCounting}
)
GROUP BY part`);
  expect(parameters).toMatchObject({
    ...{ ...bound, ...ofVideo, countedDays: [86_400], countedAt: [7] },
    ...{ lengthMs: 60_000, parts: 100 },
  });
});

test('what is read of days beside their facts', () => {
  const counted = {
    ...{ days: [{ ...countedDay, marks: 1 }], rest: [], uncounted: [span(900, 1_800)] },
  };
  const about = { ...facts, ...ofVideo };
  const { sql } = selectRetention(about, { lengthMs: 60_000, parts: 100 }, counted);
  const seen = (further: string) =>
    `SELECT *, view = toUUID('00000000-0000-0000-0000-000000000000') AS isTogether
FROM audience_seen
WHERE ${isOfCounting}${further}
LIMIT 1 BY videoId, slot, packageId, view, portion`;
  expect(sql).toContain(`    SELECT packageId, view, toInt64(1) AS sign, isPositioned,
      ${cutAt('beginMs')} AS fromMs, ${cutAt('endMs')} AS seenUntilMs, seenUntilMs AS untilMs
    FROM (
      SELECT packageId, view, positionedViews > 0 AS isPositioned, at AS beginMs, at + ms AS endMs
      FROM (
${seen(`${ofIds}${ofMarked}`)}
      )
      LEFT ARRAY JOIN fromMs AS at, rangeMs AS ms
    )
  )
  GROUP BY packageId, view, sign`);
  expect(sql).toContain(`SELECT change
FROM (
  SELECT isTogether, views, positionedViews, extraAtMs, extra,
    arrayMap(at -> ${cutAt('at')}, fromMs) AS fromCut,
    arrayMap((at, ms) -> ${cutAt('(at + ms)')}, fromMs, rangeMs) AS untilCut,
    arrayFilter((at, end) -> at < end, fromCut, untilCut) AS begins,
    arrayFilter((end, at) -> at < end, untilCut, fromCut) AS ends,
    arrayFilter((isOne, at, end) -> at < end, isFirst, fromCut, untilCut) AS isOfNextView,
    arrayMap(at -> ${partOf('at')}, begins) AS firsts,
    arrayMap(at -> ${partOf('(at - 1)')} + 1, ends) AS nexts,
    arrayMap((first, next, isNext) -> greatest(first, if(isNext = 1, 0, next)), firsts,
      arrayPopBack(arrayPushFront(nexts, 0)), isOfNextView) AS entered
  FROM (
${seen(ofIds)}
  )
)
ARRAY JOIN arrayConcat(
  if(isTogether, arrayConcat(
    [(toInt32(-1), toInt64(positionedViews), toInt64(views),
      toInt128(arraySum((begin, end) -> end - begin, begins, ends)))],
    arrayMap(part -> (part, toInt64(1), toInt64(0), toInt128(0)), entered),
    arrayMap(part -> (part, toInt64(-1), toInt64(0), toInt128(0)), nexts),
    arrayMap(at -> ${changeAt('at', '1')}, begins),
    arrayMap(at -> ${changeAt('at', '-1')}, ends)
  ), []),
  arrayMap((at, by) -> ${changeAt(cutAt('at'), 'by')}, extraAtMs, extra)
) AS change`);
  const first = `${ofIds.slice(5)} AND ${onUncounted('reinterpretAsUInt64(view)')}`;
  expect(sql).toContain(`PREWHERE ${first}`);
  expect(sql).toContain(inDay);
  expect(sql).toContain(
    `WHERE ${onUncounted(viewNumber)} AND ${viewNumber} NOT IN (SELECT ${viewNumber} FROM audience_seen
  WHERE ${isOfCounting}${ofIds})`,
  );
});
