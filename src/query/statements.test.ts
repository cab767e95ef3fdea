/**
 * What every statement of a question has, whatever is asked: its account wherever it reads, each
 * value bound, and no source that its answer does not need. That it counts right is shown by
 * numbers.test.ts beside this, by test/report and by test/simulation.
 */
import { expect, test } from 'vitest';
import type { FactQuery } from '../store/facts.ts';
import { compileFacts } from './compile/facts-sql.ts';
import { compileSums } from './compile/sums-sql.ts';
import { selectConcurrency, selectKept, selectPlaying } from './concurrency/concurrency-sql.ts';
import { selectPlayback } from './live/playback.ts';
import type { AudienceDays, FactsPlan, SumsPlan } from './plan/query-plan.ts';
import type { QuestionFacts } from './plan/question-facts.ts';
import { findOverclaimed } from './ranges/overclaimed-slots.ts';
import { selectRetention } from './retention/retention-sql.ts';

// Numbers that no statement has of itself.
const [accountId, packageId, videoId] = [70_001, 70_003, 70_021];
const fromMs = Date.UTC(2026, 4, 4);
const dayMs = 86_400_000;
const spanOf = (from: number, until: number) => ({
  fromMs: fromMs + from * dayMs,
  untilMs: fromMs + until * dayMs,
});
const [span, later] = [spanOf(0, 1), spanOf(1, 1 + 1 / 96)];
const clock = [{ sinceMs: fromMs, offsetMs: 32_400_000 }];
const cut = [{ fromMs: later.fromMs, untilMs: later.fromMs + 330_001 }];
const film = { videoId, accessKey: 'film-key', title: 'A film', folderId: 70_005, durationMs: 1 };
const accepted = ['VIDEO:2026-05-04:2'];
const overclaimed = [fromMs];

const keys = { sql: ['country'], parameters: {}, conditions: [] };
const noKeys = { ...keys, sql: [] };
const conditions = {
  sql: ['(os IN {filter0Part0:Array(String)})'],
  parameters: { filter0Part0: ['a system'] },
};
const planned = { accountId, spans: [span], clock, keys, conditions };
const sums: SumsPlan = {
  ...{ ...planned, source: 'sums', counts: ['plays'], grouping: 'account-os' },
  cover: { slots: [later], days: [span] },
};
const source = { accountId, spans: [span], accepted: [], overclaimed: [], mergesAll: true };
const beginnings = { ...source, accepted, overclaimed, mergesAll: false, cut };
const facts: FactsPlan = {
  ...{ ...planned, ...source, source: 'facts', clock: [], counts: ['plays', 'views', 'viewers'] },
  ...{ lengths: [film], cut: [], askedAtMs: 0, distinguished: 0, passes: 1 },
  ...{ regular: undefined, audienceDays: undefined },
};
const day = { day: fromMs, countedAtMs: 70_007, marks: 0, namedViews: 0, dateFromHour: 15 };
const days: AudienceDays = {
  ...{ grouping: 'country', rowsAre: 'values', days: [day], rest: [], uncounted: [] },
  playsBeside: 0,
};
const marked = { ...days, days: [{ ...day, marks: 1, namedViews: 1 }], rest: [later] };
const everything = ['plays', 'views', 'viewers', 'seenMs', 'completions', 'reached25'] as const;

const ofFacts = (change: Partial<FactsPlan>, pass?: { index: number; of: number }) =>
  compileFacts({ ...facts, ...change }, 11, pass);
const ofDays = (change: Partial<AudienceDays>, counts: FactsPlan['counts'] = ['viewers']) =>
  ofFacts({
    counts,
    conditions: { sql: [], parameters: {} },
    audienceDays: { ...days, ...change },
  });

const asked = { accountId, timeZone: 'UTC', spans: [span], localSpans: [], clock };
const curve: QuestionFacts = {
  ...{ ...source, ...asked, parameters: { clockSince0: fromMs / 1_000, clockOffset0: 32_400 } },
  ...{ videoId, packageId },
};
const retained = { lengthMs: 70_000, parts: 70_100 };
const regular = { days: [span], unchecked: [later] };

const statements: Readonly<Record<string, FactQuery>> = {
  sums: compileSums(sums, 11),
  'sums of the values played most': compileSums({ ...sums, mostListed: 9 }, 11),
  'sums, and beginnings of slots': compileSums({ ...sums, beginnings }, 11),
  'beginnings of slots alone': compileSums(
    { ...sums, keys: noKeys, cover: { slots: [], days: [] }, beginnings },
    11,
  ),
  facts: ofFacts({ counts: everything }),
  'facts in all, cut, of a pass': ofFacts({ keys: noKeys, cut }, { index: 1, of: 2 }),
  'facts in several parts': ofFacts({ mergesAll: false, overclaimed }),
  'facts with those of suspects': ofFacts({ accepted, overclaimed }),
  'regular views': ofFacts({ regular }),
  'counted days': ofFacts({ counts: everything, audienceDays: days }),
  'counted days, and facts beside': ofFacts({
    counts: everything,
    audienceDays: { ...marked, uncounted: [later] },
  }),
  'counted days, of a pass': ofFacts({ audienceDays: marked }, { index: 0, of: 2 }),
  'counted days, of one value': ofFacts({ audienceDays: { ...days, rowsAre: 'one value' } }),
  'counted days, of folders': ofFacts({
    audienceDays: { ...marked, grouping: 'video', rowsAre: 'folders' },
  }),
  'overclaimed slots': findOverclaimed(facts),
  'peaks of days': selectConcurrency(curve, 'day'),
  'peaks of minutes': selectConcurrency({ ...curve, overclaimed, accepted }, 'minute'),
  'kept peaks': selectKept(curve, 'hour', [later]),
  live: selectPlaying(curve, fromMs, 70_100),
  playback: selectPlayback(curve, span),
  retention: selectRetention(curve, retained),
  'retention of counted days': selectRetention(curve, retained, {
    ...marked,
    uncounted: [later],
  }),
};

const tables = [
  ...['stretch', 'playback_sum', 'peak', 'audience_day', 'audience_seen'],
  ...['irregular_fact', 'irregular_view'],
];
/** What each read of a table says of its rows, without what is in brackets there. */
function readsOf(sql: string): string[] {
  return [...sql.matchAll(new RegExp(`FROM (${tables.join('|')})\\b`, 'g'))].map(({ index }) => {
    let [read, depth] = ['', 0];
    for (const letter of sql.slice(index)) {
      if (letter === ')') depth -= 1;
      if (depth < 0 || read.endsWith('UNION ALL')) break;
      if (depth === 0) read += letter;
      if (letter === '(') depth += 1;
    }
    return read;
  });
}

test.each(Object.entries(statements))('%s: every read names the account', (_, { sql }) => {
  const reads = readsOf(sql);
  expect(reads).not.toEqual([]);
  for (const read of reads) expect(read).toContain('accountId = {accountId:UInt32}');
});

test.each(Object.entries(statements))('%s: all values are bound', (_, { sql, parameters }) => {
  const names = [...sql.matchAll(/\{(\w+):/g)].map(([, name]) => name);
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(names));
  expect(parameters).toMatchObject({ accountId });
  // Of the ids, of instants in seconds and milliseconds, and of texts.
  expect(sql).not.toMatch(/\b70\d{3}\b|\b177[78]\d{6}|a system|film|VIDEO:/);
  // Parts of a union are statements, each in its brackets.
  expect(sql).not.toMatch(/^\((?!SELECT )/m);
});

const nextDay = { ...day, day: fromMs + dayMs };
const [far] = [spanOf(4, 5)];
const reads = {
  days: 'FROM audience_day',
  marked: 'irregular_fact',
  facts: 'FROM stretch',
  viewsElsewhere: 'PREWHERE (toStartOfDay(slot), packageId, videoId) IN (',
  viewersElsewhere: 'viewer IN (SELECT multiIf(',
  named: 'WHERE bitShiftRight(viewer, 62) = 2 AND',
};

// Else an answer would be right, and late.
test.each<[string, FactQuery, readonly (keyof typeof reads)[]]>([
  ['nothing else', ofDays({}), ['days']],
  ['marked views', ofDays({ days: [{ ...day, marks: 1 }] }, ['views']), ['days', 'marked']],
  [
    'named viewers',
    ofDays({ days: [{ ...day, namedViews: 1 }, nextDay] }),
    ['days', 'marked', 'facts', 'named'],
  ],
  [
    'named viewers where nobody asks',
    ofDays({ days: [{ ...day, namedViews: 1 }] }, ['views']),
    ['days'],
  ],
  ['parts of other days', ofDays({ rest: [later] }, ['views']), ['days', 'facts']],
  [
    'parts of other days, with marked views',
    ofDays({ days: [{ ...day, marks: 1 }], rest: [later] }, ['views']),
    ['days', 'marked', 'facts'],
  ],
  ['their plays', ofDays({ rest: [later] }, ['plays']), ['days', 'facts']],
  [
    'days without counts',
    ofDays({ rest: [later], uncounted: [later] }, ['views']),
    ['days', 'marked', 'facts', 'viewsElsewhere'],
  ],
  [
    'their viewers',
    ofDays({ rest: [later], uncounted: [later] }),
    ['days', 'marked', 'facts', 'viewsElsewhere', 'viewersElsewhere'],
  ],
  [
    'viewers of days that are far',
    ofDays({ rest: [far], uncounted: [far] }),
    ['days', 'marked', 'facts', 'viewsElsewhere'],
  ],
])('what is read beside counts of days: of %s', (_, { sql }, expected) => {
  const names = Object.keys(reads) as (keyof typeof reads)[];
  expect(names.filter((name) => sql.includes(reads[name]))).toEqual(expected);
});

test('viewers of a day are looked for on the days that their own may be', () => {
  const dayAt = (index: number) => fromMs + index * dayMs;
  const { parameters } = ofDays({
    days: Array.from({ length: 11 }, (_, index) => ({ ...day, day: dayAt(index) })),
    ...{ rest: [spanOf(5, 6)], uncounted: [spanOf(5, 6)] },
  });
  expect(parameters).toMatchObject({ nearfrom0: dayAt(2) / 1_000, nearuntil0: dayAt(9) / 1_000 });
});

test('parts of the table are merged only where facts lie in several, or are looked for', () => {
  const merged = (change: Partial<FactsPlan>) =>
    [...ofFacts({ counts: ['plays'], ...change }).sql.matchAll(/FROM stretch( FINAL)? WHERE/g)].map(
      ([, final]) => final !== undefined,
    );
  expect(merged({})).toEqual([true]);
  // Those of slots that lie in several, and which slots these are.
  const ofSomeSlots = [false, false, true, false];
  expect(merged({ mergesAll: false })).toEqual(ofSomeSlots);
  // Of few, finding these slots takes longer than merging all.
  expect(merged({ mergesAll: false, manyFactsMs: 0.25 * dayMs })).toEqual([true]);
  expect(merged({ mergesAll: false, manyFactsMs: 0.24 * dayMs })).toEqual(ofSomeSlots);
  // What is counted twice only adds its slot to those that are overclaimed.
  expect(findOverclaimed({ ...facts, mergesAll: false }).sql).not.toContain('FINAL');
});

test.each<[FactsPlan['counts'], number, boolean]>([
  [['views'], 1, false],
  [['views'], 0.99, true],
  [['plays', 'playMs'], 0.34, false],
  [['plays', 'playMs'], 0.33, true],
  [['plays', 'stalls'], 0.99, true],
])(
  '%j of facts, of which there are many in %d of the range: costly, %j',
  (counts, part, isCostly) => {
    const spans = [{ fromMs: 0, untilMs: dayMs }];
    expect(ofFacts({ counts, spans, manyFactsMs: part * dayMs }).isCostly).toBe(isCostly);
  },
);
