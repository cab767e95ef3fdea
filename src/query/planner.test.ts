/** From which rows a question is answered. */
import { expect, test } from 'vitest';
import type { FactQuery } from '../store/facts.ts';
import type { Query } from './parse/query.ts';
import { planQuery } from './planner.ts';
import { localSpans } from './ranges/local-days.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 4, 4);
const video = { videoId: 21, accessKey: 'film', title: 'Film', folderId: 3, durationMs: 60_000 };

/** Of the days, the second may lack in the sums by day. */
function sources(asked: string[] = []) {
  const rows: Readonly<Record<string, object[]>> = {
    'videos with playback': [{ videoId: 21 }],
    'find overclaimed slots': [{ seconds: first / 1_000 }],
  };
  return {
    facts: {
      async readMany<Row>({ name }: FactQuery) {
        asked.push(name);
        return (rows[name] ?? []) as Row[];
      },
      unsettledDays: async () => [first + dayMs],
      checkedDays: async (): Promise<number[]> => [],
      audienceDays: async () => [],
      keptSince: async () => 0,
      countedWithin: async () => ({
        accepted: ['ADDRESS:2026-05-04:1'],
        mergesAll: false,
      }),
    },
    catalog: {
      publications: { findVideoIds: async () => new Map([['film', 21]]) },
      videos: { known: async () => [video] },
      names: { packages: async () => [], folders: async () => [] },
    },
  };
}

const query: Query = {
  accountId: 7,
  firstDay: '2026-05-04',
  lastDay: '2026-05-06',
  timeZone: 'UTC',
  measures: ['plays'],
  dimensions: [],
  filters: [],
  labels: new Map(),
  sort: [],
  compare: undefined,
  fillZero: false,
  pageSize: 100,
  askedAtMs: Date.UTC(2026, 4, 8),
};
const planOf = (change: Partial<Query>, asked?: string[]) =>
  planQuery({ ...query, ...change }, localSpans('2026-05-04', '2026-05-06', 'UTC'), sources(asked));

const span = (from: number, until: number) => ({
  fromMs: first + from * dayMs,
  untilMs: first + until * dayMs,
});
const filter = (dimension: Query['dimensions'][number]) =>
  ({ dimension, operator: '==', values: ['1'] }) as const;

const bySlot = { slots: [span(0, 3)], days: [] };
const byDay = { slots: [span(1, 2)], days: [span(0, 1), span(2, 3)] };

test.each<[string, Partial<Query>, object]>([
  ['the total', {}, { grouping: 'account', cover: byDay }],
  ['days', { dimensions: ['date'] }, { grouping: 'account', cover: bySlot }],
  [
    'days of a package',
    { dimensions: ['date'], filters: [filter('package')] },
    { grouping: 'package', cover: bySlot },
  ],
  [
    'weekdays alone, filtered',
    { filters: [filter('weekday')] },
    { grouping: 'account', cover: bySlot },
  ],
  [
    'time and average by video',
    { measures: ['playMs', 'averagePlayMs'], dimensions: ['video'] },
    { grouping: 'video', cover: byDay },
  ],
  ['versions', { dimensions: ['os', 'osVersion'] }, { grouping: 'account-os', cover: byDay }],
])('from sums: %s', async (_name, change, sums) => {
  expect(await planOf(change)).toMatchObject({ source: 'sums', ...sums });
});

const noLengths = { lengths: [] };
const overclaimed = { overclaimed: [first] };

test.each<[string, Partial<Query>, string[], object]>([
  ['viewers', { measures: ['viewers'] }, ['query sums'], { overclaimed: [], ...noLengths }],
  [
    'plays by country',
    { dimensions: ['country'] },
    [],
    { overclaimed: [], ...noLengths, counts: ['plays'] },
  ],
  [
    'time by country',
    { measures: ['playMs'], dimensions: ['country'] },
    ['find overclaimed slots'],
    { ...overclaimed, ...noLengths },
  ],
  [
    'time on a device',
    { measures: ['averagePlayMs'], filters: [filter('device')] },
    ['find overclaimed slots'],
    { ...overclaimed, ...noLengths, counts: ['playMs', 'plays'] },
  ],
  [
    'attempts on a connection',
    { measures: ['attempts'], dimensions: ['connection'] },
    ['query sums'],
    { overclaimed: [], ...noLengths, counts: ['attempts'], regular: undefined },
  ],
  [
    'share seen by folder',
    { measures: ['averageSeen', 'seenMs'], dimensions: ['folder'] },
    ['videos with playback', 'query sums'],
    { overclaimed: [], lengths: [video], counts: ['seenMs', 'lengthMs', 'positionedViews'] },
  ],
])('from facts: %s', async (_name, change, asked, plan) => {
  const statements: string[] = [];
  const accepted = ['ADDRESS:2026-05-04:1'];
  const spans = [span(0, 3)];
  const planned = await planOf(change, statements);
  expect(planned).toMatchObject({ source: 'facts', accepted, spans, ...plan });
  expect(statements).toEqual(asked);
});

test.each([
  { measures: ['viewers'], plays: 10, viewsPerPass: 10, passes: 1 },
  { measures: ['views'], plays: 11, viewsPerPass: 10, passes: 2 },
  { measures: ['averageSeen'], plays: '25', viewsPerPass: 10, passes: 8 },
  { measures: ['views'], plays: 2_500_001, viewsPerPass: undefined, passes: 2 },
  // Their sums need no room.
  { measures: ['mediaMs'], plays: 25, viewsPerPass: 10, passes: 1 },
] as const)('of $plays plays, $viewsPerPass views a pass: $measures in $passes', async (given) => {
  const { facts, catalog } = sources();
  const readMany = async <Row>(asked: FactQuery) =>
    asked.name === 'query sums'
      ? ([{ count_plays: given.plays }] as Row[])
      : facts.readMany<Row>(asked);
  const plan = await planQuery(
    { ...query, measures: given.measures, dimensions: ['country'] },
    localSpans('2026-05-04', '2026-05-06', 'UTC'),
    {
      ...{ facts: { ...facts, readMany }, catalog },
      ...(given.viewsPerPass && { viewsPerPass: given.viewsPerPass }),
    },
  );
  const distinguished = given.measures[0] === 'mediaMs' ? 0 : Number(given.plays);
  expect(plan).toMatchObject({ source: 'facts', distinguished, passes: given.passes });
});

test('weeks of a range compared with are later, also of facts', async () => {
  const shifted = { dimensions: ['week'], shiftDays: 2 } as const;
  expect((await planOf(shifted)).keys.parameters).toEqual({ shift: 172_800 });
  expect((await planOf({ dimensions: ['week'] })).keys.parameters).toEqual({});
  expect(await planOf(shifted)).toMatchObject({ clock: [{ sinceMs: first, offsetMs: 0 }] });
});

test('of a slot that is cut only its beginning counts, of facts', async () => {
  const slot = first + dayMs + 900_000;
  const cut = [{ fromMs: slot, untilMs: slot + 60_001 }];
  const asked: string[] = [];
  const plan = await planOf({ dimensions: ['date'], cut }, asked);
  expect(plan).toMatchObject({
    cover: {
      slots: [
        { fromMs: first, untilMs: slot },
        { fromMs: slot + 900_000, untilMs: first + 3 * dayMs },
      ],
      days: [],
    },
    beginnings: {
      ...{ accountId: 7, spans: [{ fromMs: slot, untilMs: slot + 900_000 }], cut },
      ...{ accepted: ['ADDRESS:2026-05-04:1'], mergesAll: false, overclaimed: [first] },
    },
  });
  expect(asked).toEqual(['find overclaimed slots']);
  expect(await planOf({ dimensions: ['date'] })).not.toHaveProperty('beginnings');
  const atBorders = [
    span(0, 1 / 96),
    { fromMs: first + 3 * dayMs - 900_000, untilMs: first + 3 * dayMs },
  ];
  expect(await planOf({ dimensions: ['date'], cut: atBorders })).toMatchObject({
    cover: { slots: [{ fromMs: first + 900_000, untilMs: first + 3 * dayMs - 900_000 }] },
  });
});

test('filters by what the catalog knows look at what was played', async () => {
  const asked: string[] = [];
  const filters = (['video', 'package', 'folder'] as const).map((dimension) => ({
    ...({ dimension, operator: '=@', isOfCaption: true, values: ['i'] } as const),
  }));
  const given = sources(asked);
  const names = {
    packages: async () => [{ id: 7, name: 'Site' }],
    folders: async () => [{ id: 3, name: 'Films' }],
  };
  const spans = localSpans('2026-05-04', '2026-05-06', 'UTC');
  const readMany = async <Row>(one: FactQuery) =>
    one.name === 'packages with playback'
      ? ([{ packageId: 7 }] as Row[])
      : given.facts.readMany<Row>(one);
  const { conditions } = await planQuery({ ...query, filters }, spans, {
    facts: { ...given.facts, readMany },
    catalog: { ...given.catalog, names },
  });
  expect(conditions.parameters).toEqual({
    ...{ filter0Part0: [21], filter1Part0: [7], filter2Part0: [21] },
  });
  // Videos are looked up once for both.
  expect(asked).toEqual(['videos with playback']);
});

test('what a video without a length saw is not known', async () => {
  const given = sources();
  const catalog = {
    ...given.catalog,
    videos: {
      known: async () => [
        { ...video, durationMs: 0 },
        { ...video, durationMs: 1 },
      ],
    },
  };
  const spans = localSpans('2026-05-04', '2026-05-06', 'UTC');
  const plan = await planQuery({ ...query, measures: ['averageSeen'] }, spans, {
    ...given,
    catalog,
  });
  expect(plan).toMatchObject({ lengths: [{ durationMs: 1 }] });
  const measures = ['viewers', 'averageSeen'] as const;
  expect(await planOf({ measures })).toMatchObject({ lengths: [video] });
});

test('of a day that the zone skipped nothing is read', async () => {
  const asked: string[] = [];
  for (const measures of [['plays'], ['viewers']] as const) {
    await planQuery({ ...query, measures }, [], sources(asked));
  }
  const plan = await planQuery({ ...query, measures: ['playMs', 'viewers'] }, [], sources(asked));
  expect(plan).toMatchObject({ accepted: [], mergesAll: true, overclaimed: [], passes: 1 });
  expect(asked).toEqual([]);
});

test.each([
  ['mediaMs', ['country'], ['find overclaimed slots']],
  ['plays', ['country'], []],
] as const)('%s by %j asks for %j', async (measure, dimensions, expected) => {
  const asked: string[] = [];
  await planOf({ measures: [measure], dimensions }, asked);
  expect(asked).toEqual(expected);
});

/** Of three days two were counted; the third has facts. */
function planOfDays(change: Partial<Query>, counted: object, given: object = {}, timeZone = 'UTC') {
  const { facts, catalog } = sources();
  const day = { countedAtMs: 7, marks: 0, namedViews: 0, ...counted };
  const readMany = async <Row>({ name }: FactQuery) =>
    (({
      'query sums': [{ count_plays: 5 }],
      'find days with facts': [{ at: (first + 2 * dayMs) / 1_000 }],
      'videos with playback': [{ videoId: 21 }],
    })[name] ?? []) as Row[];
  return planQuery({ ...query, ...change }, localSpans('2026-05-04', '2026-05-06', timeZone), {
    facts: {
      ...{ ...facts, readMany },
      countedWithin: async () => ({ accepted: [], mergesAll: true }),
      audienceDays: async () => [
        { day: first, ...day },
        { day: first + dayMs, ...day, marks: 0, namedViews: 0 },
      ],
    },
    ...{ catalog, viewsPerPass: 10, leastPlaysOfRegular: 5, ...given },
  });
}

// Of what was counted four times as many views fit into a pass as of facts, and of what views saw a third.
test.each<[Query['measures'], Query['dimensions'], object, number, number]>([
  [['viewers'], [], { namedViews: 35 }, 40, 1],
  [['viewers'], [], { namedViews: 36 }, 41, 2],
  [['views'], [], { marks: 900 }, 5, 1],
  [['averageSeen'], [], { marks: 1 }, 5, 2],
  [['viewers', 'averageSeen'], [], { marks: 1 }, 5, 2],
  [['averageSeen'], [], { marks: 2 }, 5, 3],
  [['viewers'], ['folder'], { namedViews: 36 }, 5, 1],
  [['views'], ['folder'], { namedViews: 36 }, 41, 2],
  [['viewers'], ['video'], { namedViews: 36 }, 41, 2],
  [['plays'], ['country'], {}, 5, 1],
])('%j by %j of counted days with %j: %i told apart in %i passes', async (...given) => {
  const [measures, dimensions, counted, distinguished, passes] = given;
  const plan = await planOfDays({ measures, dimensions }, counted);
  expect(plan).toMatchObject({
    ...{ source: 'facts', distinguished, passes, regular: undefined },
    audienceDays: { days: [{ day: first }, { day: first + dayMs }], playsBeside: 5 },
  });
});

test.each<[string, Partial<Query>, object]>([
  ['of fewer plays', {}, { leastPlaysOfRegular: 6 }],
  ['of several values', { filters: [{ ...filter('country'), values: ['KR', 'DE'] }] }, {}],
])('days are not read as they were counted %s', async (_, change, given) => {
  const plan = await planOfDays({ measures: ['plays', 'viewers'], ...change }, {}, given);
  expect(plan).toMatchObject({ distinguished: 5, audienceDays: undefined });
});

test.each([
  [0, [first, first + dayMs]],
  // A month begins within the first day there.
  [27, [first + dayMs]],
])('of a range compared with, %i days before, the days of one month', async (shiftDays, days) => {
  const asked = { measures: ['views'], dimensions: ['month'], shiftDays } as const;
  const plan = await planOfDays(asked, {}, {}, 'Asia/Seoul');
  expect(plan).toMatchObject({ audienceDays: { days: days.map((day) => ({ day })) } });
});

test('for plays and time alone nothing is told apart, also where days were not counted', async () => {
  const asked = { measures: ['mediaMs'], dimensions: ['country'] } as const;
  const plan = await planOfDays(asked, {}, { leastPlaysOfRegular: 6, viewsPerPass: 1 });
  expect(plan).toMatchObject({
    ...{
      source: 'facts',
      distinguished: 0,
      passes: 1,
      regular: undefined,
      audienceDays: undefined,
    },
  });
});

test.each([
  [40, 1],
  [41, 2],
])(
  'of %i plays of regular views, four times as many fit into each of %i passes',
  async (plays, passes) => {
    const { facts, catalog } = sources();
    const ranges: object[] = [];
    const plan = await planQuery(
      { ...query, measures: ['viewers'], dimensions: ['country', 'device'] },
      localSpans('2026-05-04', '2026-05-06', 'UTC'),
      {
        facts: {
          ...facts,
          readMany: async <Row>() => [{ count_plays: plays }] as Row[],
          checkedDays: async () => [0, 1, 2].map((day) => first + day * dayMs),
          async countedWithin(range) {
            ranges.push(range);
            return { accepted: [], mergesAll: true };
          },
        },
        ...{ catalog, viewsPerPass: 10, leastPlaysOfRegular: 1 },
      },
    );
    expect(plan).toMatchObject({ distinguished: plays, passes, regular: { unchecked: [] } });
    expect(ranges).toEqual([{ accountId: 7, fromMs: first, untilMs: first + 3 * dayMs }]);
  },
);
