/** Plans as SQL. That the SQL counts right, the simulation shows. */
import { expect, test } from 'vitest';
import { findCrowded } from '../find-crowded.ts';
import { compileFacts } from './compile-facts.ts';
import { compileSums } from './compile-sums.ts';
import type { AudienceDays, FactsPlan, SumsPlan } from './query-plan.ts';

const fromMs = Date.UTC(2026, 4, 4);
const span = { fromMs, untilMs: fromMs + 86_400_000 };
const [from, until] = [span.fromMs / 1_000, span.untilMs / 1_000];
const clock = [{ sinceMs: fromMs, offsetMs: 32_400_000 }];
const ofClock = { clockSince0: from, clockOffset0: 32_400 };
const keys = { sql: ['toDate(slot + {clockOffset0:Int32})'], parameters: {}, conditions: [] };
const noKeys = { sql: [], parameters: {}, conditions: [] };
const conditions = {
  sql: ['(os IN {filter0Part0:Array(String)})'],
  parameters: { filter0Part0: ['iOS'] },
};
const nothing = { sql: [], parameters: {} };

const sums: SumsPlan = {
  source: 'sums',
  ...{ accountId: 7, spans: [span], clock, keys, conditions, counts: ['plays'] },
  ...{ grouping: 'account-os', cover: { slots: [span], days: [] } },
};
const facts: FactsPlan = {
  source: 'facts',
  ...{ accountId: 7, spans: [span], clock: [], keys: noKeys, conditions: nothing },
  ...{
    counts: ['plays'],
    accepted: [],
    crowded: [],
    lengths: [],
    cut: [],
    toldApart: 0,
    passes: 1,
  },
  mergesAll: true,
  regular: undefined,
  audienceDays: undefined,
};

test('sums by date of a system', () => {
  const { sql, parameters } = compileSums(sums, 11);
  expect(
    sql,
  ).toBe(`SELECT toString(group0) AS key0, sum(toUInt64(largest_plays)) AS count_plays, sum(toUInt64(largest_playMs)) AS count_playMs
FROM (
  SELECT toDate(slot + {clockOffset0:Int32}) AS group0, max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND videoId = 0 AND packageId = 0 AND grouping = 'account-os' AND slot >= {slots_from0:UInt32} AND slot < {slots_until0:UInt32} AND (os IN {filter0Part0:Array(String)})
  GROUP BY slot, os, osVersion
)
GROUP BY group0
HAVING count_plays > 0 OR count_playMs > 0
ORDER BY group0
LIMIT 11`);
  expect(parameters).toEqual({
    ...{ accountId: 7, slots_from0: from, slots_until0: until },
    ...{ filter0Part0: ['iOS'], ...ofClock },
  });
});

const cut = [{ fromMs: span.untilMs, untilMs: span.untilMs + 330_001 }];
const later = { fromMs: span.untilMs, untilMs: span.untilMs + 900_000 };

test('sums with the beginning of a slot', () => {
  const of = { accepted: [], crowded: [], mergesAll: true };
  const beginnings = { accountId: 7, spans: [later], ...of, cut };
  const { sql, parameters } = compileSums({ ...sums, beginnings }, 11);
  const [ofSums = '', ofFacts = '', ...others] = sql.split('\n  UNION ALL\n');
  expect(others).toEqual([]);
  expect(ofSums).toContain('slot >= {slots_from0:UInt32} AND slot < {slots_until0:UInt32}');
  expect(ofFacts).toContain('slot >= {from0:UInt32} AND slot < {until0:UInt32}');
  const summed = 'sum(plays) AS largest_plays, sum(countedMs) AS largest_playMs';
  expect(ofFacts.startsWith(`  SELECT ${keys.sql[0]} AS group0, ${summed}\n  FROM (\n`)).toBe(true);
  expect(ofFacts).toContain('least(claimedMs, leftMs) AS countedMs');
  expect(ofFacts).toContain(`\n  WHERE ${conditions.sql[0]}\n  GROUP BY group0\n)`);
  expect(parameters).toMatchObject({
    ...{ from0: until, until0: until + 900, slots_from0: from, slots_until0: until },
    ...{ cutSlotsPart0: [until], cutInstantsPart0: [span.untilMs + 330_001] },
  });
});

test('the beginning of a slot alone, in all', () => {
  const of = { accepted: [], crowded: [], mergesAll: true };
  const beginnings = { accountId: 7, spans: [later], ...of, cut };
  const alone = { ...sums, keys: noKeys, conditions: nothing, cover: { slots: [], days: [] } };
  const { sql } = compileSums({ ...alone, beginnings }, 11);
  expect(sql).not.toContain('playback_sum');
  expect(sql).toContain(`
FROM (
  SELECT sum(plays) AS largest_plays, sum(countedMs) AS largest_playMs
  FROM (
SELECT slot, `);
  expect(sql).toContain('\n)\n  )\n)\nHAVING');
});

test('facts with the beginning of a slot, also of what views saw', () => {
  const counts = ['plays', 'seenMs'] as const;
  const { sql, parameters } = compileFacts({ ...facts, counts, cut }, 11);
  expect(sql.match(/leftMs AS playMs/g)).toHaveLength(2);
  // What counts is asked of plays, and not of what views saw.
  expect(sql.match(/least\(claimedMs, leftMs\) AS countedMs/g)).toHaveLength(1);
  expect(parameters).toMatchObject({ cutSlotsPart0: [until] });
});

test('sums without dimensions, of slots and of days', () => {
  const cover = { slots: [later], days: [span] };
  const { sql } = compileSums({ ...sums, keys: noKeys, conditions: nothing, cover }, 11);
  expect(
    sql,
  ).toBe(`SELECT sum(toUInt64(largest_plays)) AS count_plays, sum(toUInt64(largest_playMs)) AS count_playMs
FROM (
  SELECT max(plays) AS largest_plays, max(playMs) AS largest_playMs
  FROM playback_sum
  WHERE accountId = {accountId:UInt32} AND videoId = 0 AND packageId = 0 AND (grouping = 'account-os' AND slot >= {slots_from0:UInt32} AND slot < {slots_until0:UInt32} OR grouping = 'account-os-day' AND slot >= {days_from0:UInt32} AND slot < {days_until0:UInt32})
  GROUP BY slot, os, osVersion
)
HAVING count_plays > 0 OR count_playMs > 0
LIMIT 11`);
});

const columns =
  'slot, packageId, videoId, os, osVersion, view, stretch, plays, playMs, startMs, laterMs, position, mediaMs, viewer, country, device, browser, browserVersion, host, page, referrer, player, label1, label2, label3, label4, label5, label6, label7, label8, label9, label10';
const within =
  'WHERE accountId = {accountId:UInt32} AND slot >= {from0:UInt32} AND slot < {until0:UInt32}';
/** As they are read: time that was taken back is left out. */
const counted = columns.replace(
  ' playMs,',
  ' if(ceiling = 0, playMs, least(playMs, toUInt32(bitAnd(ceiling, 4294967295)))) AS playMs,',
);
const usual = `SELECT ${counted} FROM stretch FINAL ${within} AND suspect = ''`;
const part = `toUInt64(if(startMs = 0, 0,
    greatest(toInt64(toUnixTimestamp(slot)) * 1000 - toInt64(startMs), 0))) AS beforeMs, beforeMs + playMs + laterMs AS wholeMs, intDivOrZero(mediaMs * beforeMs, wholeMs) AS mediaFrom, intDivOrZero(mediaMs * (beforeMs + playMs), wholeMs) AS mediaUntil`;
const values = `plays, playMs, countedMs, viewer, bitAnd(cityHash64(packageId, videoId, view), 4611686018427387903) AS viewNumber, ${part}`;

test('facts without dimensions: the row is the total', () => {
  const { sql, parameters } = compileFacts(facts, 11);
  expect(
    sql,
  ).toBe(`SELECT 1 AS isTotal, toUInt64(count()) AS count_facts, toUInt64(sum(plays)) AS count_plays
FROM (
SELECT ${values}
FROM (
SELECT ${columns}, playMs AS countedMs FROM (
  ${usual}
)
)
WHERE (plays > 0 OR playMs > 0)
)
LIMIT 12`);
  expect(parameters).toEqual({ accountId: 7, from0: from, until0: until });
});

const key = { ...noKeys, sql: ["if(country = '', 'Unknown', country)"] };

test('additive counts have no total of their own', () => {
  const counts = ['plays', 'playMs', 'mediaMs'] as const;
  const { sql } = compileFacts({ ...facts, keys: key, counts }, 11);
  expect(sql).toContain('SELECT 0 AS isTotal');
  expect(sql).toContain('GROUP BY groups\nLIMIT 12');
});

test('in a pass each view and each viewer is counted if it is its turn', () => {
  const counts = ['plays', 'views', 'viewers', 'seenMs'] as const;
  const { sql, parameters } = compileFacts({ ...facts, keys: key, counts }, 11, {
    index: 2,
    of: 3,
  });
  const turn = (number: string) => `${number} % {passes:UInt64} = {pass:UInt64}`;
  const viewer = 'if(viewer = 0, viewNumber, viewer)';
  expect(sql).toContain(`countIf(${turn('viewNumber')})) AS count_facts`);
  expect(sql).toContain(`sumIf(plays, ${turn('viewNumber')})) AS count_plays`);
  expect(sql).toContain(`uniqExactIf(viewNumber, ${turn('viewNumber')})) AS count_views`);
  expect(sql).toContain(`uniqExactIf(${viewer}, ${turn(viewer)})) AS count_viewers`);
  const known = `uniqExactIf(viewNumber, viewer > 0 AND ${turn('viewNumber')})`;
  expect(sql).toContain(`${known}) AS count_knownViews`);
  const ofViews = `videoLength > 0 AND ${turn('bitAnd(cityHash64(packageId, videoId, view), 4611686018427387903)')}`;
  expect(sql.split(ofViews)).toHaveLength(2);
  expect(parameters).toMatchObject({ pass: 2, passes: 3 });
});

const number = 'bitAnd(cityHash64(packageId, videoId, view), 4611686018427387903)';
const regular = { days: [span], unchecked: [later] };

test('regular views are counted by their plays, others told apart', () => {
  const counts = ['plays', 'views', 'viewers'] as const;
  const { sql, parameters } = compileFacts({ ...facts, keys: key, counts, regular }, 11);
  const isLater = 'slot >= {uncheckedfrom0:UInt32} AND slot < {uncheckeduntil0:UInt32}';
  expect(
    sql,
  ).toContain(`${number} AS viewNumber, NOT ${isLater} AND viewNumber NOT IN (SELECT ${number} FROM irregular_view
    WHERE accountId = {accountId:UInt32}
      AND slot >= {regularFrom:UInt32} AND slot < {regularUntil:UInt32}
    UNION ALL
    SELECT ${number} FROM stretch WHERE accountId = {accountId:UInt32} AND ${isLater}) AS isRegular`);
  expect(sql).toContain('toUInt64(sum(plays)) AS count_plays');
  expect(sql).toContain(
    'toUInt64(sumIf(plays, isRegular) + uniqExactIf(viewNumber, NOT isRegular)) AS count_views',
  );
  const viewer = 'if(viewer = 0, viewNumber, viewer)';
  expect(sql).toContain(
    `toUInt64(sumIf(plays, isRegular AND viewer = 0) + uniqExactIf(${viewer}, (NOT isRegular OR (plays > 0 AND viewer > 0)))) AS count_viewers`,
  );
  expect(sql).toContain(
    'toUInt64(sumIf(plays, isRegular AND viewer > 0) + uniqExactIf(viewNumber, NOT isRegular AND viewer > 0)) AS count_knownViews',
  );
  expect(parameters).toMatchObject({
    ...{ regularFrom: from, regularUntil: until },
    ...{ uncheckedfrom0: until, uncheckeduntil0: until + 900 },
  });
});

test('regular days may lie apart', () => {
  const apart = { days: [span, later], unchecked: [] };
  const { parameters } = compileFacts({ ...facts, counts: ['views'], regular: apart }, 11);
  expect(parameters).toMatchObject({ regularFrom: from, regularUntil: until + 900 });
  expect(parameters).not.toHaveProperty('uncheckedfrom0');
});

test('in a pass regular views have their turn, too', () => {
  const counts = ['views'] as const;
  const whole = { days: [span], unchecked: [] };
  const plan = { ...facts, keys: key, counts, regular: whole };
  const { sql } = compileFacts(plan, 11, { index: 1, of: 2 });
  const turn = 'viewNumber % {passes:UInt64} = {pass:UInt64}';
  expect(sql).toContain(`, viewNumber NOT IN (SELECT ${number} FROM irregular_view
    WHERE accountId = {accountId:UInt32}
      AND slot >= {regularFrom:UInt32} AND slot < {regularUntil:UInt32}) AS isRegular`);
  expect(sql).toContain(
    `sumIf(plays, isRegular AND ${turn}) + uniqExactIf(viewNumber, NOT isRegular AND ${turn})`,
  );
});

const countedDay = { day: from * 1_000, countedAtMs: 7, marks: 0, namedViews: 0, dateFromHour: 15 };
const days = {
  grouping: 'country',
  rowsAre: 'values',
  days: [countedDay],
  rest: [],
  uncounted: [],
  playsBeside: 0,
} as const;
const ofDays = (change: Partial<AudienceDays>, asked: FactsPlan['counts'] = ['viewers']) =>
  compileFacts({ ...facts, keys: key, counts: asked, audienceDays: { ...days, ...change } }, 11);

const ofCounting = `accountId = {accountId:UInt32}
  AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND toUnixTimestamp64Milli(countedAt) = transform(toUnixTimestamp(toStartOfDay(slot)),
  {countedDays:Array(UInt32)}, {countedAt:Array(Int64)}, toInt64(0))`;

test('by folder its viewers are told apart day by day', () => {
  const folder = {
    sql: ['folderOf(videoId)'],
    parameters: {},
    conditions: ['folderOf(videoId) > 0'],
  };
  const { sql } = compileFacts(
    {
      ...{ ...facts, keys: folder, counts: ['views', 'viewers'] },
      audienceDays: { ...days, grouping: 'video', rowsAre: 'folders' },
    },
    11,
  );
  expect(sql).toContain(`SELECT group0, uniqExact(viewer) AS dayViewers
FROM (
SELECT folderOf(videoId) AS group0, toStartOfDay(slot) AS day, viewer
FROM stretch
WHERE accountId = {accountId:UInt32} AND slot >= {dayfrom0:UInt32} AND slot < {dayuntil0:UInt32} AND suspect = '' AND plays > 0 AND bitShiftRight(viewer, 62) = 1 AND viewer NOT IN (SELECT viewer FROM (SELECT * FROM irregular_fact
WHERE ${ofCounting})) AND folderOf(videoId) > 0
)
GROUP BY group0, day
)
GROUP BY group0
LIMIT 11)`);
  expect(sql).toContain('toUInt64(sum(views - knownViews)) AS count_viewers');
  expect(sql).toContain('WHERE (plays > 0 OR playMs > 0) AND folderOf(videoId) > 0');
});

test('counts of days alone are read where they tell all', () => {
  const { sql, parameters } = ofDays({});
  expect(sql).not.toContain('FROM stretch');
  expect(sql).toContain("grouping = 'country'");
  expect(sql).toContain("grouping = 'total'");
  expect(sql).toContain('toUInt64(count()) AS count_days');
  expect(parameters).toMatchObject({
    ...{ countedDays: [from], countedAt: [7], daysFrom: from, daysUntil: from + 86_400 },
  });
});

const nextDay = { ...countedDay, day: countedDay.day + 86_400_000 };
const muchLater = {
  fromMs: later.fromMs + 3 * 86_400_000,
  untilMs: later.untilMs + 3 * 86_400_000,
};
const ofViewsElsewhere = 'PREWHERE reinterpretAsUInt64(view) IN (SELECT reinterpretAsUInt64(view)';
const ofViewersElsewhere = 'viewer IN (SELECT viewer FROM stretch';
const ofNamedViewers = 'WHERE bitShiftRight(viewer, 62) = 2 AND';
/** Parts of a union, each in brackets. */
const noStatement = /^\((?!SELECT )/m;

test.each<[string, Partial<AudienceDays>, FactsPlan['counts'], readonly string[]]>([
  ['marked views', { days: [{ ...countedDay, marks: 1 }] }, ['views'], ['irregular_fact']],
  [
    'named viewers',
    { days: [{ ...countedDay, namedViews: 1 }, nextDay] },
    ['viewers'],
    ['irregular_fact', 'FROM stretch', ofNamedViewers],
  ],
  ['parts of other days', { rest: [later] }, ['views'], ['irregular_fact', 'FROM stretch']],
  ['parts of other days for their plays', { rest: [later] }, ['plays'], ['FROM stretch']],
  [
    'days without counts',
    { rest: [later], uncounted: [later] },
    ['views'],
    ['irregular_fact', 'FROM stretch', ofViewsElsewhere],
  ],
  [
    'days without counts, and their viewers,',
    { rest: [later], uncounted: [later] },
    ['viewers'],
    ['irregular_fact', 'FROM stretch', ofViewsElsewhere, ofViewersElsewhere],
  ],
  [
    'days without counts far from those with',
    { rest: [muchLater], uncounted: [muchLater] },
    ['viewers'],
    ['irregular_fact', 'FROM stretch', ofViewsElsewhere],
  ],
])('beside counts of days, of %s the facts are read', (_, change, asked, parts) => {
  const elsewhere = [ofViewsElsewhere, ofViewersElsewhere, ofNamedViewers];
  const all = ['irregular_fact', 'FROM stretch', ...elsewhere];
  const { sql } = ofDays(change, asked);
  expect(sql).not.toMatch(noStatement);
  for (const part of parts) expect(sql).toContain(part);
  for (const other of all.filter((one) => !parts.includes(one))) expect(sql).not.toContain(other);
});

test('also where each count is the sum of the rows, days have a total of their own', () => {
  const { sql } = ofDays({ rest: [later] }, ['plays']);
  expect(sql).toContain('GROUP BY ROLLUP(groups)');
  expect(sql).toContain("grouping = 'total'");
  expect(sql).toContain('toUInt64(countIf(NOT isOfDay)) AS count_facts');
});

test('viewers of a day are looked for on the days that their own may be', () => {
  const dayAt = (index: number) => (from + index * 86_400) * 1_000;
  const { parameters } = ofDays({
    days: Array.from({ length: 11 }, (_, index) => ({ ...countedDay, day: dayAt(index) })),
    uncounted: [{ fromMs: dayAt(5), untilMs: dayAt(6) }],
  });
  expect(parameters).toMatchObject({
    ...{ nearfrom0: dayAt(2) / 1_000, nearuntil0: dayAt(9) / 1_000 },
  });
});

test('of a slot that is cut beside counted days the beginning counts', () => {
  const audienceDays = { ...days, rest: [later] };
  const { sql } = compileFacts({ ...facts, keys: key, cut, audienceDays }, 11);
  expect(sql).toContain('least(claimedMs, leftMs) AS countedMs');
});

test('counts of versions are of what they are versions of', () => {
  expect(ofDays({ grouping: 'osVersion' }).sql).toContain(
    'SELECT slot, value AS os, version AS osVersion, plays',
  );
});

test('names of viewers do not matter where nobody asks for viewers', () => {
  expect(ofDays({ days: [{ ...countedDay, namedViews: 1 }] }, ['views']).sql).not.toContain(
    'FROM stretch',
  );
});

test('in zones with dates of their own the rows are those of their hour', () => {
  const { sql, parameters } = ofDays({ grouping: 'split' });
  expect(sql).toContain('AND value = toString(transform(');
  expect(parameters).toMatchObject({ dateFromHour: [15] });
});

test('counts of days are read in the first pass only', () => {
  const plan = { ...facts, keys: key, counts: ['views'] as const };
  const audienceDays = { ...days, days: [{ ...countedDay, marks: 1 }] };
  const ofPass = (index: number) =>
    compileFacts({ ...plan, audienceDays }, 11, { index, of: 2 }).sql;
  expect(ofPass(0)).toContain('audience_day');
  expect(ofPass(1)).not.toContain('audience_day');
  expect(ofPass(1)).not.toContain('UNION ALL');
});

test('the total of distinct counts is made of the rows', () => {
  const { sql } = compileFacts({ ...facts, keys: key, counts: ['plays', 'views'] }, 11);
  expect(sql).toContain(
    "SELECT grouping(groups) = 1 AS isTotal, if(isTotal, '', toString(groups)) AS key0,",
  );
  expect(sql).toContain(`SELECT ${key.sql[0]} AS groups, plays`);
  expect(sql).toContain('toUInt64(uniqExact(viewNumber)) AS count_views');
  expect(sql).toMatch(/GROUP BY ROLLUP\(groups\)\nLIMIT 12$/);
});

test('several dimensions are one group, so that there are no rows of some of them', () => {
  const keys = { ...noKeys, sql: ['country', 'device'] };
  const { sql } = compileFacts({ ...facts, keys, counts: ['views'] }, 11);
  expect(sql).toContain('SELECT tuple(country, device) AS groups, plays');
  expect(sql).toContain("if(isTotal, '', toString(tupleElement(groups, 2))) AS key1,");
  expect(sql).toContain('GROUP BY ROLLUP(groups)');
});

test('parts of the table are merged only in slots that several have', () => {
  const { sql, parameters } = compileFacts({ ...facts, mergesAll: false }, 11);
  const scattered = `(SELECT slot FROM stretch ${within}
    GROUP BY slot HAVING min(_part_index) != max(_part_index))`;
  expect(sql).toContain(`FROM (
  SELECT ${counted} FROM stretch ${within} AND suspect = '' AND slot NOT IN ${scattered}
  UNION ALL
  SELECT ${counted} FROM stretch FINAL ${within} AND suspect = '' AND slot IN ${scattered}
)`);
  expect(parameters).toEqual({ accountId: 7, from0: from, until0: until });
});

test('what views saw: their ranges together, cut to the length', () => {
  const video = { videoId: 21, accessKey: 'film', title: '', folderId: 3, durationMs: 60_000 };
  const counts = ['seenMs', 'reached50'] as const;
  const { sql, parameters } = compileFacts({ ...facts, counts, lengths: [video] }, 11);
  expect(
    sql,
  ).toContain(`(SELECT 1 AS isTotal, toUInt64(0) AS count_facts, toUInt64(sum(seen * sign)) AS count_seenMs, toUInt64(sumIf(sign, furthest * 100 >= length * 50)) AS count_reached50
FROM (
SELECT sign, any(videoLength) AS length, intervalLengthSum(rangeFrom, rangeUntil) AS seen, max(rangeEnd) AS furthest
FROM (
SELECT packageId, videoId, view, videoLength, toInt64(1) AS sign, toUInt64(least(position - 1 + mediaFrom, videoLength)) AS rangeFrom, toUInt64(least(position - 1 + mediaUntil, videoLength)) AS rangeUntil, toUInt64(position - 1 + mediaUntil) AS rangeEnd
FROM (
SELECT packageId, videoId, view, transform(videoId, {lengthVideosPart0:Array(UInt32)}, {lengthsPart0:Array(UInt64)}, toUInt64(0)) AS videoLength, position, ${part}
FROM (
${usual}
)
WHERE (plays > 0 OR playMs > 0) AND position > 0 AND videoLength > 0
)
)
GROUP BY packageId, videoId, view, sign
)
LIMIT 12)
)
GROUP BY isTotal`);
  expect(parameters).toMatchObject({ lengthVideosPart0: [21], lengthsPart0: [60_000] });
});

test('only in crowded slots are views taken apart', () => {
  const { sql, parameters } = compileFacts({ ...facts, crowded: [fromMs] }, 11);
  expect(sql).toContain(`SELECT ${columns}, playMs AS countedMs FROM (
  SELECT ${counted} FROM stretch FINAL ${within} AND NOT (slot IN {crowdedPart0:Array(UInt32)}) AND suspect = ''
)
UNION ALL
SELECT ${columns}, toUInt32(least(toInt64(playMs), greatest(900000 - (toInt64(sum(playMs) OVER (
  PARTITION BY slot, packageId, videoId, os, osVersion, view ORDER BY stretch)) - playMs), 0))) AS countedMs FROM (
  SELECT ${counted} FROM stretch FINAL ${within} AND slot IN {crowdedPart0:Array(UInt32)} AND suspect = ''
)`);
  expect(parameters).toMatchObject({ crowdedPart0: [from] });
});

test('of a stretch under several accepted suspects the largest values count', () => {
  const { sql, parameters } = compileFacts({ ...facts, accepted: ['VIDEO:2026-05-04:2'] }, 11);
  expect(sql).toContain('max(plays) AS plays, if(max(ceiling) = 0, max(playMs), least(max(');
  expect(sql).toContain(`${within} AND (suspect = '' OR suspect IN {acceptedPart0:Array(String)})
  GROUP BY slot, packageId, videoId, os, osVersion, view, stretch`);
  expect(parameters).toMatchObject({ acceptedPart0: ['VIDEO:2026-05-04:2'] });
});

test('crowded slots are those whose facts claim more than is summed', () => {
  const { sql, parameters } = findCrowded(facts);
  expect(sql).toBe(`SELECT toUnixTimestamp(slot) AS seconds
FROM (
SELECT slot, sum(playMs) AS claimedMs, 0 AS summedMs FROM (
${usual}
) GROUP BY slot
UNION ALL
SELECT slot, 0, toUInt64(max(playMs)) FROM playback_sum
WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND videoId = 0 AND packageId = 0
  AND slot >= {from0:UInt32} AND slot < {until0:UInt32}
GROUP BY slot
)
GROUP BY slot
HAVING sum(claimedMs) > sum(summedMs)`);
  // What is counted twice only adds its slot: nothing is merged for that.
  expect(findCrowded({ ...facts, mergesAll: false }).sql).not.toContain('FINAL');
  expect(parameters).toEqual({ accountId: 7, from0: from, until0: until });
});
