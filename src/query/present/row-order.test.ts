/** The order of rows: tables of cases with the exact result. */
import { expect, test } from 'vitest';
import type { Query } from '../parse/query.ts';
import { type Counts, noCounts } from '../plan/counts.ts';
import { orderRows, rowOrder } from './row-order.ts';

type Asked = Pick<Query, 'measures' | 'dimensions' | 'sort'>;

const up = <Name>(name: Name) => ({ name, isDescending: false });
const down = <Name>(name: Name) => ({ name, isDescending: true });

test.each<[string, Asked, Asked['sort']]>([
  [
    'of nothing: the first measure, most first',
    { measures: ['playMs', 'plays'], dimensions: [], sort: [] },
    [down('playMs')],
  ],
  [
    'without a time: the first measure, and then all dimensions',
    { measures: ['views', 'plays'], dimensions: ['country', 'os'], sort: [] },
    [down('views'), up('country'), up('os')],
  ],
  [
    'with times: the first of them, wherever it stands, and then the others',
    { measures: ['plays'], dimensions: ['country', 'date', 'hourOfDay'], sort: [] },
    [up('date'), up('country'), up('hourOfDay')],
  ],
  [
    'as asked, by a measure',
    { measures: ['plays', 'playMs'], dimensions: ['date', 'os'], sort: [up('playMs')] },
    [up('playMs'), up('date'), up('os')],
  ],
  [
    'as asked, by some dimensions: the others follow in their order',
    { measures: ['plays'], dimensions: ['date', 'os', 'country'], sort: [down('os')] },
    [down('os'), up('date'), up('country')],
  ],
  [
    'as asked, by all dimensions and a measure',
    {
      ...{ measures: ['plays'], dimensions: ['os', 'country'] },
      sort: [down('country'), down('plays'), down('os')],
    },
    [down('country'), down('plays'), down('os')],
  ],
])('%s', (_name, asked, expected) => {
  expect(rowOrder(asked)).toEqual(expected);
});

type Values = readonly (string | number)[];

/** `key` stands for the row in what is expected. */
const rowOf = (key: string, labels: Values, counts: Partial<Counts>) => ({
  key,
  labels: labels.map((value) => ({ value, order: value, place: value })),
  counts: { ...noCounts, ...counts },
});
const seen = (seenMs: number, lengthMs: number) => ({ seenMs, lengthMs });

interface Case {
  readonly name: string;
  readonly asked: Partial<Asked>;
  /** In the order expected. */
  readonly rows: readonly (readonly [string, Values, Partial<Counts>])[];
}

/** What is not said, is this. */
const byOs: Asked = { measures: ['plays'], dimensions: ['os'], sort: [] };
const bare = (...texts: string[]) => texts.map((text) => [text, [text], {}] as const);
const cases: readonly Case[] = [
  {
    name: 'texts by code points',
    asked: { sort: [up('os')] },
    rows: bare('', 'Zorin', 'android', 'é'),
  },
  { name: 'texts downwards', asked: { sort: [down('os')] }, rows: bare('android', 'Zorin', '') },
  {
    name: 'equal measures by labels, upwards whatever the direction',
    asked: { sort: [down('plays')] },
    rows: [
      ['most', ['Linux'], { plays: 3 }],
      ['tie, first', ['Android'], { plays: 2 }],
      ['tie, second', ['iOS'], { plays: 2 }],
      ['none', ['Fuchsia'], {}],
    ],
  },
  {
    name: 'measures upwards',
    asked: { sort: [up('plays')] },
    rows: [
      ['none', ['Linux'], {}],
      ['one', ['iOS'], { plays: 1 }],
      ['ten', ['Android'], { plays: 10 }],
    ],
  },
  {
    name: 'a second order where the first is equal',
    asked: { measures: ['plays', 'views'], sort: [down('plays'), up('views')] },
    rows: [
      ['more plays', ['Linux'], { plays: 2, views: 9 }],
      ['fewer views', ['iOS'], { plays: 1, views: 1 }],
      ['more views', ['Android'], { plays: 1, views: 2 }],
    ],
  },
  {
    name: 'an average that there is not comes last, downwards',
    asked: { measures: ['averageSeen'], sort: [down('averageSeen')] },
    rows: [
      ['all', ['iOS'], seen(10, 10)],
      ['nothing of it', ['Linux'], seen(0, 10)],
      ['no length, first', ['Android'], {}],
      ['no length, second', ['Fuchsia'], {}],
    ],
  },
  {
    name: 'and upwards',
    asked: { measures: ['averageSeen'], sort: [up('averageSeen')] },
    rows: [
      ['nothing of it', ['Linux'], seen(0, 10)],
      ['all', ['iOS'], seen(10, 10)],
      ['no length', ['Android'], {}],
    ],
  },
  {
    name: 'averages as they are shown: what rounds alike is equal',
    asked: { measures: ['averagePlayMs'], sort: [down('averagePlayMs')] },
    rows: [
      ['half', ['Linux'], { playMs: 5, plays: 2 }],
      ['rounded down', ['Android'], { playMs: 7, plays: 3 }],
      ['even', ['iOS'], { playMs: 2, plays: 1 }],
    ],
  },
  {
    name: 'by whole units: what is left of one is no difference',
    asked: { measures: ['playMs'], sort: [{ ...down('playMs'), perUnit: 1_000 }] },
    rows: [
      ['three seconds', ['macOS'], { playMs: 3_000 }],
      ['two', ['Android'], { playMs: 2_000 }],
      ['two and more', ['iOS'], { playMs: 2_999 }],
    ],
  },
  {
    name: 'numbers by value',
    asked: { dimensions: ['package'], sort: [up('package')] },
    rows: [9, 10, 100].map((number) => [String(number), [number], {}] as const),
  },
  {
    name: 'usually by the time, then by the dimensions in their order',
    asked: { dimensions: ['country', 'date'] },
    rows: [
      ['early, KR', ['KR', '2026-05-04'], { plays: 1 }],
      ['early, US', ['US', '2026-05-04'], { plays: 9 }],
      ['late, DE', ['DE', '2026-05-05'], { plays: 5 }],
    ],
  },
  {
    name: 'usually by the first measure, most first',
    asked: { measures: ['views', 'plays'], dimensions: ['country'] },
    rows: [
      ['two', ['US'], { views: 2 }],
      ['one', ['DE'], { views: 1, plays: 5 }],
      ['one, later', ['KR'], { views: 1, plays: 9 }],
    ],
  },
];

test.each(cases)('$name', async ({ asked, rows }) => {
  const given = rows.map(([key, labels, counts]) => rowOf(key, labels, counts));
  for (const some of [given, given.toReversed()]) {
    const ordered = (await orderRows(some, { ...byOs, ...asked })) as typeof given;
    expect(ordered.map(({ key }) => key)).toEqual(rows.map(([key]) => key));
  }
});

test('an hour that the clock repeats follows its first time, though both read alike', async () => {
  const hour = (key: string, order: number) => ({
    ...rowOf(key, [], {}),
    labels: [{ value: '2026-10-25T02:00:00', order, place: order }],
  });
  const asked = { measures: ['plays'], dimensions: ['hour'], sort: [] } as const;
  const rows = [hour('again', 7_200_000), hour('first', 3_600_000)];
  const ordered = (await orderRows(rows, asked)) as typeof rows;
  expect(ordered.map(({ key }) => key)).toEqual(['first', 'again']);
});

test('videos that are alike in what they are ordered by follow their values', async () => {
  const video = (value: string) => ({
    ...rowOf(value, [], {}),
    labels: [{ value, order: '', place: value }],
  });
  const asked: Asked = { measures: ['plays'], dimensions: ['video'], sort: [down('video')] };
  const rows = [video('a'), video('b')];
  const ordered = (await orderRows(rows, asked)) as typeof rows;
  expect(ordered.map(({ key }) => key)).toEqual(['b', 'a']);
});
