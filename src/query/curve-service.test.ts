/** What curves make of the rows of their statements. */
import { expect, test } from 'vitest';
import type { Clock } from '../lib/time/clock.ts';
import type { Counted, FactQuery, FactReader } from '../store/facts.ts';
import { liveForSeconds } from '../wire/questions/curves.ts';
import { createCurves } from './curve-service.ts';
import type { ConcurrencyQuestion, RetentionQuestion } from './parse/curve-question.ts';
import type { CurveSources } from './plan/question-facts.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const first = Date.UTC(2026, 4, 4);
const usualNowMs = first + 12 * hourMs + 34 * minuteMs + 56_789;

const dayOf = (index: number) => ({ day: first + index * dayMs });

type Rows = Readonly<Record<string, readonly object[]>>;

interface Given {
  /** Of statements, by their names: of those that are asked again, what each gets. */
  readonly rows?: Rows | ((query: FactQuery) => readonly object[]);
  readonly unsettled?: readonly number[];
  /** Days (from the first) that were counted. */
  readonly counted?: readonly number[];
  readonly within?: Partial<Counted>;
  readonly nowMs?: number;
}

/** Answers, and what was asked of the store. */
function curvesOver({
  rows = {},
  unsettled = [],
  counted = [],
  within = {},
  ...given
}: Given = {}) {
  const { nowMs = usualNowMs } = given;
  const asked: FactQuery[] = [];
  // Each read takes a second: an answer is of the moment before the first of them.
  const passedMs = () => asked.length * 1_000;
  const ranges: object[] = [];
  const read = async <Row>(query: FactQuery): Promise<Row[]> => {
    asked.push(query);
    return [...(typeof rows === 'function' ? rows(query) : (rows[query.name] ?? []))] as Row[];
  };
  const facts = {
    ...{ read, readMany: read },
    between: <Answer>(accountId: number, answer: () => Promise<Answer>) => {
      expect(accountId).toBe(7);
      return answer();
    },
    completeThrough: () => nowMs + passedMs() - 5,
    keptSince: async () => first - 400 * dayMs,
    audienceDays: async () =>
      counted.map((day) => ({ ...dayOf(day), countedAtMs: 7, marks: 0, namedViews: 0 })),
    unsettledDays: async () => [],
    unsettledPeaks: async () => unsettled,
    async countedWithin(range: object) {
      ranges.push(range);
      return { accepted: [], mergesAll: true, ...within };
    },
  } as Partial<FactReader> as FactReader;
  const film = { accessKey: 'film', title: 'Film', folderId: 3 };
  const catalog = {
    publications: {
      findVideoId: async (_: number, key: string) => ({ film: 21, live: 22, gone: 23 })[key],
    },
    videos: {
      known: async (_: number, ids: readonly number[]) =>
        [
          { ...film, videoId: 21, durationMs: 10_000 },
          { ...film, videoId: 22, accessKey: 'live', title: 'Live', durationMs: 0 },
        ].filter(({ videoId }) => ids.includes(videoId)),
    },
    names: {
      packages: async () => [{ id: 7, name: 'Site' }],
      folders: async () => [{ id: 3, name: 'Films' }],
    },
  } as unknown as CurveSources['catalog'];
  const clock = { now: () => nowMs + passedMs() } as Clock;
  return { curves: createCurves({ facts, catalog, clock }), asked, ranges };
}

const question: ConcurrencyQuestion = {
  ...{ accountId: 7, firstDay: '2026-05-04', lastDay: '2026-05-06', timeZone: 'UTC' },
  ...{ packageId: undefined, accessKey: undefined, filters: [], labels: new Map() },
  interval: 'day',
};
const ofMoment = { asOf: new Date(usualNowMs), completeThrough: new Date(usualNowMs - 5) };

const days = (...kept: (0 | 1)[]) =>
  kept.map((isKept, index) => ({
    ...{ day: (first + index * dayMs) / 1_000, isKept, plays: 1, playMs: 1 },
  }));
const factsOf = (day: number, peak: number, playMs: number, given: object = {}) => ({
  ...{ key: String((first + day * dayMs) / 1_000), peak, peakAtMs: first + day * dayMs + 90_001 },
  ...{ playMs, slotPlayMs: 0, ...given },
});

/** The days that a statement reads, from the first of the question. */
const spansOf = ({ parameters }: FactQuery, name = '') =>
  Object.keys(parameters)
    .filter((key) => new RegExp(`^${name}from\\d+$`).test(key))
    .map((key) => [key, key.replace('from', 'until')].map((one) => dayAt(parameters[one])));
const dayAt = (seconds: unknown) => (Number(seconds) * 1_000 - first) / dayMs;
const namesOf = (asked: readonly FactQuery[]) => asked.map(({ name }) => name);

test('peaks of days: what is kept, and the facts of the days whose peaks are not', async () => {
  const { curves, asked, ranges } = curvesOver({
    unsettled: [first + 2 * dayMs],
    rows: {
      'days with playback': days(1, 0, 1),
      'concurrency of slots': [factsOf(0, 3, dayMs / 2), factsOf(1, 1, 0)],
      concurrency: [factsOf(1, 2, dayMs), factsOf(2, 0, 0, { slotPlayMs: dayMs, peakAtMs: 0 })],
    },
  });
  expect(await curves.concurrency(question)).toEqual({
    ...ofMoment,
    data: {
      list: [
        { time: '2026-05-04', peak: 3, peakAt: '2026-05-04T00:01:30.001+00:00', average: 0.5 },
        { time: '2026-05-05', peak: 2, peakAt: '2026-05-05T00:01:30.001+00:00', average: 1 },
        // Of facts by the slot, each of its 15 minutes has a share.
        { time: '2026-05-06', peak: 0, peakAt: null, average: 0.067 },
      ],
    },
  });
  const names = ['days with playback', 'concurrency of slots', 'find overclaimed slots'];
  expect(namesOf(asked)).toEqual([...names, 'concurrency']);
  expect(asked.map((query) => spansOf(query))).toEqual([[[0, 3]], [[0, 3]], [[1, 3]], [[1, 3]]]);
  expect(asked.map((query) => spansOf(query, 'without_'))).toEqual([[], [[1, 3]], [], []]);
  expect(ranges).toEqual([{ accountId: 7, fromMs: first + dayMs, untilMs: first + 3 * dayMs }]);
});

test('of two pieces of an interval the larger peak counts, and the earlier of equal ones', async () => {
  const pieces = (one: object, other: object) => {
    const at = (seconds: number) => ({ peakAtMs: first + seconds * 1_000 });
    const both = [
      factsOf(0, 4, 1_000, { ...at(2), ...one }),
      factsOf(0, 4, 2_000, { ...at(3), slotPlayMs: dayMs, ...other }),
    ];
    return [both, both.toReversed()].map(
      (concurrency) => curvesOver({ rows: { 'days with playback': days(0), concurrency } }).curves,
    );
  };
  const peakOf = async (one: object, other: object) => {
    const answers = pieces(one, other).map((curves) => curves.concurrency(question));
    const shown = (await Promise.all(answers)).map(({ data }) => data.list[0]);
    expect(shown[0]).toEqual(shown[1]);
    return shown[0];
  };
  const peakAt = (second: number) => `2026-05-04T00:00:0${second}.000+00:00`;
  expect(await peakOf({}, {})).toMatchObject({ peak: 4, peakAt: peakAt(2), average: 0.067 });
  expect(await peakOf({}, { peak: 5 })).toMatchObject({ peak: 5, peakAt: peakAt(3) });
  expect(await peakOf({}, { peak: 3 })).toMatchObject({ peak: 4, peakAt: peakAt(2) });
});

test.each([
  ['minute', [], ['days with playback', 'find overclaimed slots', ...Array(3).fill('concurrency')]],
  ['hour', [], ['days with playback', 'concurrency of slots']],
  ['day', [{ dimension: 'os', operator: '==', values: ['iOS'] }], 'from facts'],
] as const)('by %s with %j', async (interval, filters, expected) => {
  const { curves, asked } = curvesOver({ rows: { 'days with playback': days(1, 1, 1) } });
  await curves.concurrency({ ...question, interval, filters });
  const names = ['days with playback', 'find overclaimed slots', 'concurrency'];
  expect(namesOf(asked)).toEqual(expected === 'from facts' ? names : expected);
  if (interval === 'minute') {
    expect(asked.slice(2).map((query) => spansOf(query))).toEqual([[[0, 1]], [[1, 2]], [[2, 3]]]);
  }
});

const twoMillionMinutes = 120_000_000_000;

test.each([
  ['where nothing was played', [], []],
  ['of three months with little playback', [...Array(92).keys()], [[[0, 92]]]],
  [
    'with a pause',
    [0, 1, 20],
    [
      [
        [0, 2],
        [20, 21],
      ],
    ],
  ],
])('one statement reads what there is: %s', async (_, played, expected) => {
  const list = played.map((day) => ({ day, plays: 1, playMs: 1 }));
  expect(await spansRead(list)).toEqual(expected);
});

test.each([
  ['five days of two million', [0, 1, 2, 3, 4], 0, twoMillionMinutes, [[[0, 5]]]],
  ['a minute more', [0, 1, 2, 3, 4], 1, twoMillionMinutes, [[[0, 4]], [[4, 5]]]],
  ['a millisecond more', [0, 1], 0, 2.5 * twoMillionMinutes + 1, [[[0, 2]]]],
  ['by their plays', [0, 1, 2, 3], 4_000_000, 0, [[[0, 2]], [[2, 4]]]],
  ['days beyond', [0, 1], 11_000_000, 0, [[[0, 1]], [[1, 2]]]],
])(
  'a statement reads ten million minutes at most: %s',
  async (_, played, plays, playMs, expected) => {
    expect(await spansRead(played.map((day) => ({ day, plays, playMs })))).toEqual(expected);
  },
);

/** Of days whose peaks are not kept. */
async function spansRead(
  played: readonly { readonly day: number; readonly plays: number; readonly playMs: number }[],
) {
  const rows = played.map((one) => ({
    ...{ ...one, day: (first + one.day * dayMs) / 1_000, isKept: 0 },
  }));
  const { curves, asked } = curvesOver({ rows: { 'days with playback': rows } });
  await curves.concurrency({ ...question, lastDay: '2026-12-31' });
  return asked.filter(({ name }) => name === 'concurrency').map((query) => spansOf(query));
}

test.each([
  [64, 64],
  [65, 1],
])('%i days apart are %i parts of a statement', async (count, parts) => {
  const { curves, asked } = curvesOver({
    rows: {
      'days with playback': [
        ...days(1),
        ...Array.from({ length: count }, (_, index) => ({
          ...{ day: (first + (2 * index + 2) * dayMs) / 1_000, isKept: 0 },
        })),
      ],
    },
  });
  await curves.concurrency({ ...question, lastDay: '2026-12-31' });
  const kept = asked.find(({ name }) => name === 'concurrency of slots');
  const except = kept ? spansOf(kept, 'without_') : [];
  expect(except).toHaveLength(parts);
  expect([except[0]?.[0], except.at(-1)?.[1]]).toEqual([2, 2 * count + 1]);
});

const nothingRead = { ...ofMoment, data: { list: [] } };

test.each<[string, Partial<ConcurrencyQuestion>]>([
  ['of no such video', { accessKey: 'none' }],
  ['of a package beyond all numbers', { packageId: 2 ** 32 }],
  [
    'of a day that the zone skipped',
    {
      ...{ firstDay: '2011-12-30', lastDay: '2011-12-30', timeZone: 'Pacific/Apia' },
    },
  ],
])('a curve %s is empty, and nothing is read', async (_, given) => {
  const { curves, asked } = curvesOver();
  expect(await curves.concurrency({ ...question, ...given })).toEqual(nothingRead);
  expect(asked).toEqual([]);
});

test('a curve of a video in a package, of the largest number that one may have', async () => {
  const packageId = 2 ** 32 - 1;
  const { curves, asked } = curvesOver({ rows: { 'days with playback': days(0) } });
  const allOf = async () => {
    const all = curvesOver({ rows: { 'days with playback': days(0) } });
    await all.curves.concurrency(question);
    return all.asked.at(-1) ?? expect.unreachable();
  };
  await curves.concurrency({ ...question, accessKey: 'film', packageId });
  expect(asked.at(-1)?.parameters).toMatchObject({ videoId: 21, packageId });
  const parametersOfAll = Object.keys((await allOf()).parameters);
  for (const name of ['videoId', 'packageId']) expect(parametersOfAll).not.toContain(name);
  expect(asked.at(-1)?.sql).toContain(
    'AND packageId = {packageId:UInt32} AND videoId = {videoId:UInt32}',
  );
});

test('before there were any facts there is no playback', async () => {
  const { curves, asked } = curvesOver();
  const before = Date.UTC(1900, 0, 1);
  const span = { fromMs: before, untilMs: before + 1 };
  const asker = { accountId: 7, timeZone: 'UTC', filters: [], labels: new Map() };
  expect((await curves.playback({ ...asker, ...span })).data).toBe(false);
  expect(asked).toEqual([]);
});

test('filters by what the catalog knows look at what was played', async () => {
  const { curves, asked } = curvesOver({
    rows: { 'videos with playback': [{ videoId: 21 }], 'days with playback': days(0) },
  });
  const filter = { dimension: 'video', operator: '=@', isOfCaption: true, values: ['i'] } as const;
  await curves.concurrency({ ...question, filters: [filter] });
  expect(asked.at(-1)?.parameters).toMatchObject({ filter0Part0: [21] });
});

test('of days without facts, every interval has a row as well', async () => {
  const { curves, asked } = curvesOver();
  const range = { firstDay: '1969-12-30', lastDay: '1969-12-31' };
  const { data } = await curves.concurrency({ ...question, ...range, interval: 'day' });
  expect(data.list).toEqual(
    ['1969-12-30', '1969-12-31'].map((time) => ({ time, peak: 0, peakAt: null, average: 0 })),
  );
  expect((await curves.retention({ ...ofFilm, ...range })).data).toMatchObject({ list: [] });
  expect(asked).toEqual([]);
});

test('facts that were erased by age are asked for in vain', async () => {
  const { curves } = curvesOver({ rows: { 'days with playback': days(0) } });
  const retention = (day: number) => {
    const firstDay = new Date(first + day * dayMs).toISOString().slice(0, 10);
    return curves.retention({ ...question, firstDay, accessKey: 'film', parts: 2 });
  };
  await expect(retention(-401)).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
    errors: [{ parameter: 'sdate', detail: expect.stringContaining('were erased') }],
  });
  expect((await retention(-400)).data.lengthMs).toBe(10_000);
});

const ofFilm: RetentionQuestion = { ...question, accessKey: 'film', parts: 2 };

test('how far a video is watched', async () => {
  const change = (part: number, audience: string, ranges: string, positionsMs: string) => {
    return { part, audience, ranges, positionsMs };
  };
  const changes = [change(-1, '1', '2', '5000'), change(0, '1', '1', '0')];
  const { curves, asked, ranges } = curvesOver({
    rows: { retention: [...changes, change(1, '-1', '-1', '-5000')] },
  });
  const { data, ...moment } = await curves.retention(ofFilm);
  expect(moment).toEqual(ofMoment);
  expect(data).toMatchObject({ lengthMs: 10_000, views: 2, positionedViews: 1, averageSeen: 0.5 });
  expect(data.list.map(({ audience, watched }) => [audience, watched])).toEqual([
    [1, 1],
    [0, 0],
  ]);
  expect(namesOf(asked)).toEqual(['find overclaimed slots', 'retention']);
  expect(ranges).toEqual([{ accountId: 7, fromMs: first, untilMs: first + 3 * dayMs }]);
});

const change = (part: number, audience: number) => {
  return { part, audience: String(audience), ranges: '0', positionsMs: '0' };
};
const onSystem = { dimension: 'os', operator: '==', values: ['iOS'] } as const;

test.each<[string, Given, Partial<RetentionQuestion>, readonly number[], string[]]>([
  ['no day is', { counted: [] }, {}, [], ['find overclaimed slots', 'retention']],
  [
    'only a part of one is asked for',
    { counted: [-1, 3] },
    {},
    [],
    ['find overclaimed slots', 'retention'],
  ],
  ['all are', { counted: [0, 1, 2] }, {}, [0, 1, 2], ['retention']],
  [
    'one is',
    { counted: [1], rows: { 'find days with facts': [{ at: first / 1_000 }] } },
    {},
    [1],
    ['find days with facts', 'find overclaimed slots', 'retention'],
  ],
  [
    'what is filtered is not',
    { counted: [0, 1, 2] },
    { filters: [onSystem] },
    [],
    ['find overclaimed slots', 'retention'],
  ],
  [
    'what was erased meanwhile is not',
    { counted: [0, 1, 2], within: { erased: { sql: 'view = 1', parameters: {} } } },
    {},
    [],
    ['find overclaimed slots', 'retention'],
  ],
  [
    'what was accepted later is not',
    { counted: [0, 1, 2], within: { accepted: ['ADDRESS:2026-05-04:1'] } },
    {},
    [],
    ['find overclaimed slots', 'retention'],
  ],
])(
  'how far a video is watched on days that were counted: %s',
  async (_, given, asks, days, names) => {
    const rows = { retention: [change(-2, days.length)], ...(given.rows as Rows) };
    const { curves, asked } = curvesOver({ ...given, rows });
    await curves.retention({ ...ofFilm, ...asks });
    expect(namesOf(asked)).toEqual(names);
    const { countedDays } = asked.at(-1)?.parameters ?? {};
    expect(countedDays).toEqual(
      days.length === 0 ? undefined : days.map((day) => dayOf(day).day / 1_000),
    );
  },
);

test('days that were counted again meanwhile are planned anew', async () => {
  let plans = 0;
  const { curves } = curvesOver({
    counted: [0, 1, 2],
    rows: () => {
      plans += 1;
      return plans < 3 ? [change(-2, 2)] : [change(-1, 4), change(-2, 3)];
    },
  });
  expect((await curves.retention(ofFilm)).data.positionedViews).toBe(4);
  expect(plans).toBe(3);
  const never = curvesOver({ counted: [0, 1, 2] }).curves.retention(ofFilm);
  await expect(never).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a video that nobody knows is watched by nobody, and one without a length has no parts', async () => {
  const { curves } = curvesOver();
  const nobody = { lengthMs: 0, views: 0, positionedViews: 0, averageSeen: null, list: [] };
  for (const accessKey of ['none', 'gone']) {
    expect(await curves.retention({ ...ofFilm, accessKey })).toEqual({ ...ofMoment, data: nobody });
  }
  await expect(curves.retention({ ...ofFilm, accessKey: 'live' })).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
    message: expect.stringContaining('set the duration of live first'),
  });
  const named = await curves.retention({ ...ofFilm, accessKey: 'live', lengthMs: 5_000 });
  expect(named.data).toMatchObject({ lengthMs: 5_000, list: expect.arrayContaining([]) });
  expect(named.data.list.at(-1)?.toMs).toBe(5_000);
});

test('who watches now: the videos that are known, and the peaks of the last minutes', async () => {
  const seconds = (hour: number, minute: number) =>
    (first + hour * hourMs + minute * minuteMs) / 1_000;
  const { curves, asked, ranges } = curvesOver({
    rows: {
      live: [
        { videoId: 21, playing: 5, allPlaying: 9 },
        { videoId: 99, playing: 4, allPlaying: 9 },
      ],
      concurrency: [
        { ...factsOf(0, 7, 0), key: `${seconds(12, 34)} 0` },
        { ...factsOf(0, 8, 0), key: `${seconds(12, 4)} 0` },
      ],
    },
  });
  const { data } = await curves.live({ accountId: 7, timeZone: 'UTC' });
  expect(data).toMatchObject({
    ...{ asOf: '2026-05-04T12:34:56.789Z', playing: 9 },
    videos: [{ video: 'film', videoTitle: 'Film', playing: 5 }],
  });
  expect(data.lastMinutes).toHaveLength(30);
  expect(data.lastMinutes.at(0)).toEqual({ time: '2026-05-04T12:05:00+00:00', peak: 0 });
  expect(data.lastMinutes.at(-1)).toEqual({ time: '2026-05-04T12:34:00+00:00', peak: 7 });
  const [playing, peaks] = asked;
  const quarter = (hour: number, minute: number) => seconds(hour, minute);
  expect(playing?.parameters).toMatchObject({
    ...{ from0: quarter(12, 30), until0: quarter(12, 45) },
    sinceMs: usualNowMs - liveForSeconds * 1_000,
    ...{ clockSince0: quarter(12, 0), clockOffset0: 0 },
  });
  expect(peaks?.parameters).toMatchObject({ from0: quarter(12, 0), until0: quarter(12, 45) });
  expect(ranges).toEqual([
    { accountId: 7, fromMs: quarter(12, 0) * 1_000, untilMs: quarter(12, 45) * 1_000 },
  ]);
  // What a clock that is ahead by five minutes reports is there too.
  const ahead = curvesOver({ nowMs: first + 10 * minuteMs });
  await ahead.curves.live({ accountId: 7, timeZone: 'UTC' });
  expect(ahead.asked[0]?.parameters.until0).toBe(first / 1_000 + 1_800);
  // And what ended at the border of slots.
  const border = curvesOver({ nowMs: first + 15 * minuteMs + liveForSeconds * 1_000 });
  await border.curves.live({ accountId: 7, timeZone: 'UTC' });
  expect(border.asked[0]?.parameters).toMatchObject({
    from0: first / 1_000,
    until0: first / 1_000 + 1_800,
  });
  // The minute that is under way may be the first of its slot.
  const early = curvesOver({ nowMs: first + 15 * minuteMs + 10_000 });
  const { lastMinutes } = (await early.curves.live({ accountId: 7, timeZone: 'UTC' })).data;
  expect(lastMinutes.at(-1)?.time).toBe('2026-05-04T00:15:00+00:00');
  const nobody = await curvesOver().curves.live({ accountId: 7, timeZone: 'UTC' });
  expect(nobody.data).toMatchObject({ playing: 0, videos: [] });
});

test('the last minutes by the clock of a zone, over a change of it', async () => {
  // At 1:00 UTC, in the middle of them.
  const change = Date.UTC(2026, 2, 29, 1);
  const { curves, asked } = curvesOver({ nowMs: change + 10 * minuteMs });
  const { data } = await curves.live({ accountId: 7, timeZone: 'Europe/Berlin' });
  const times = data.lastMinutes.map(({ time }) => time);
  expect(times.slice(18, 21)).toEqual([
    '2026-03-29T01:59:00+01:00',
    '2026-03-29T03:00:00+02:00',
    '2026-03-29T03:01:00+02:00',
  ]);
  expect(asked[1]?.parameters).toMatchObject({
    ...{ clockSince1: change / 1_000, clockOffset0: 3_600, clockOffset1: 7_200 },
  });
});

test.each([
  [[{ parts: 1 }], true],
  [[{ parts: 0 }], false],
  [[], false],
])('whether anything played in a span: of %j %j', async (playback, expected) => {
  const { curves, asked } = curvesOver({ rows: { playback } });
  const span = { fromMs: first + 16 * minuteMs, untilMs: first + 31 * minuteMs };
  const asker = { accountId: 7, timeZone: 'UTC', filters: [], labels: new Map() };
  expect((await curves.playback({ ...asker, ...span })).data).toBe(expected);
  expect(asked.at(-1)?.parameters).toMatchObject({
    ...{ from0: first / 1_000 + 900, until0: first / 1_000 + 2_700 },
    ...span,
  });
});
