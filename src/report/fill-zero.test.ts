import { expect, test } from 'vitest';
import { questionByDate } from '../../test/support/question-by-date.ts';
import { fillZero } from './fill-zero.ts';
import type { LabelledSums } from './labelled-sums.ts';

const question = { ...questionByDate, fillZero: true };
const sums = { plays: 2, playMs: 5_000 };
const noSums = { plays: 0, playMs: 0 };

test('puts in the days that are missing, and no other', () => {
  const known: LabelledSums = { labels: { date: '2026-05-05' }, sums };
  expect(fillZero([known], question)).toEqual([
    { labels: { date: '2026-05-06' }, sums: noSums },
    known,
    { labels: { date: '2026-05-04' }, sums: noSums },
  ]);
});

test('puts in the hours that the clock showed, each with its date', () => {
  const date = '2026-03-08';
  const ofDay = {
    ...question,
    statistic: 'hour',
    firstDay: date,
    lastDay: date,
    timeZone: 'America/New_York',
    given: { date },
    sortData: 'hour',
    sortDirection: 'asc',
  } as const;
  const known: LabelledSums = { labels: { date, hour: '01' }, sums };
  const rows = fillZero([known], ofDay);
  expect(rows).toHaveLength(23);
  expect(rows[0]).toEqual({ labels: { date, hour: '00' }, sums: noSums });
  expect(rows[1]).toEqual(known);
  // The clock goes from 1:59 to 3:00.
  expect(rows[2]).toEqual({ labels: { date, hour: '03' }, sums: noSums });
});

test.each([
  ['duration', 'asc', ['04', '06', '05']],
  ['duration', 'desc', ['05', '04', '06']],
  ['videoCount', 'desc', ['05', '04', '06']],
  ['date', 'asc', ['04', '05', '06']],
] as const)(
  'the filled days are in the order asked for: %s %s',
  (sortData, sortDirection, days) => {
    const known: LabelledSums = { labels: { date: '2026-05-05' }, sums };
    const rows = fillZero([known], { ...question, sortData, sortDirection });
    expect(rows.map(({ labels }) => labels.date?.slice(-2))).toEqual(days);
  },
);

test('systems have no list to be filled from', () => {
  const known: LabelledSums = { labels: { os: 'iOS' }, sums };
  expect(fillZero([known], { ...question, statistic: 'os' })).toEqual([known]);
});
