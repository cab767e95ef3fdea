/** From which rows a question is answered. */
import { expect, test } from 'vitest';
import type { FactQuery } from '../../facts/facts.ts';
import { localSpans } from '../local-days.ts';
import { planQuery } from './plan-query.ts';
import type { Query } from './query.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 4, 4);
const video = { videoId: 21, accessKey: 'film', title: 'Film', folderId: 3, durationMs: 60_000 };

/** Of the days, the second may lack in the sums by day. */
function sources(asked: string[] = []) {
  const rows: Readonly<Record<string, object[]>> = {
    'videos with playback': [{ videoId: 21 }],
    'find crowded slots': [{ seconds: first / 1_000 }],
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
      publications: { findVideoId: async () => 21 },
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
const crowded = { crowded: [first] };

test.each<[string, Partial<Query>, string[], object]>([
  ['viewers', { measures: ['viewers'] }, ['query sums'], { crowded: [], ...noLengths }],
  [
    'plays by country',
    { dimensions: ['country'] },
    [],
    { crowded: [], ...noLengths, counts: ['plays'] },
  ],
  [
    'time by country',
    { measures: ['playMs'], dimensions: ['country'] },
    ['find crowded slots'],
    { ...crowded, ...noLengths },
  ],
  [
    'time on a device',
    { measures: ['averagePlayMs'], filters: [filter('device')] },
    ['find crowded slots'],
    { ...crowded, ...noLengths, counts: ['plays', 'playMs'] },
  ],
  [
    'share seen by folder',
    { measures: ['averageSeen', 'seenMs'], dimensions: ['folder'] },
    ['videos with playback', 'query sums'],
    { crowded: [], lengths: [video], counts: ['seenMs', 'lengthMs'] },
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
  const toldApart = given.measures[0] === 'mediaMs' ? 0 : Number(given.plays);
  expect(plan).toMatchObject({ source: 'facts', toldApart, passes: given.passes });
});
