import { expect, test } from 'vitest';
import { questionByDate } from '../../../test/support/question-by-date.ts';
import type { LabelledSums } from './labelled-sums.ts';
import { fillZero } from './zero-rows.ts';

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

test.each([
  ['1969-12-28', '1970-01-02', 'UTC', 6],
  ['1950-06-01', '1950-06-03', 'Asia/Seoul', 3],
  ['2106-02-01', '2106-02-28', 'America/New_York', 28],
  ['0001-01-01', '0001-01-02', 'UTC', 2],
  ['2011-12-29', '2011-12-31', 'Pacific/Apia', 2],
])(
  'from %s to %s in %s there are days, also without facts',
  (firstDay, lastDay, timeZone, days) => {
    const filled = fillZero([], { ...question, firstDay, lastDay, timeZone, sortDirection: 'asc' });
    const dates = filled.map(({ labels }) => labels.date);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([days, firstDay, lastDay]);
  },
);

test.each(['1950-06-01', '2200-06-01'])('hours of %s', (date) => {
  const ofDay = { firstDay: date, lastDay: date, timeZone: 'Asia/Seoul', given: { date } };
  const byHour = { ...question, ...ofDay, statistic: 'hour', sortData: 'hour' } as const;
  expect(fillZero([], byHour)).toHaveLength(24);
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
