import { expect, test } from 'vitest';
import { chartMarks, notesWithin } from './chart-marks.ts';

const note = (at: string, until: string | null = null) => ({ key: at, at, until, text: 'Note' });
const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
const places = (marks: ReturnType<typeof chartMarks>) =>
  marks.map(({ index, lastIndex }) => [index, lastIndex]);

test('a note stands on its day in the zone of the account', () => {
  const late = note('2026-11-19T20:00:00.000Z');
  expect(places(chartMarks([late], days, 'date', 'UTC'))).toEqual([[1, 1]]);
  expect(places(chartMarks([late], days, 'date', 'Asia/Seoul'))).toEqual([[2, 2]]);
});

test('a span reaches over its days, the one at whose beginning it ends left out', () => {
  const span = note('2026-11-18T12:00:00.000Z', '2026-11-20T00:00:00.000Z');
  expect(places(chartMarks([span], days, 'date', 'UTC'))).toEqual([[0, 1]]);
});

test('what begins before the chart stands at its beginning', () => {
  const span = note('2026-11-01T00:00:00.000Z', '2026-11-19T12:00:00.000Z');
  expect(places(chartMarks([span], days, 'date', 'UTC'))).toEqual([[0, 1]]);
});

test('hours, weeks and months hold what happens in them', () => {
  const one = note('2026-11-20T10:59:00.000Z');
  const hours = ['2026-11-20T19:00:00+09:00', '2026-11-20T20:00:00+09:00'];
  expect(places(chartMarks([one], hours, 'hour', 'Asia/Seoul'))).toEqual([[0, 0]]);
  const weeks = ['2026-11-09', '2026-11-16', '2026-11-23'];
  expect(places(chartMarks([one], weeks, 'week', 'UTC'))).toEqual([[1, 1]]);
  expect(places(chartMarks([one], ['2026-10-01', '2026-11-01'], 'month', 'UTC'))).toEqual([[1, 1]]);
});

test('a chart without points has no notes', () => {
  expect(chartMarks([note('2026-11-20T10:00:00.000Z')], [], 'date', 'UTC')).toEqual([]);
});

test('only what touches the days of the range is of it', () => {
  const range = { from: '2026-11-19', to: '2026-11-20' };
  const all = [
    note('2026-11-18T23:59:00.000Z'),
    note('2026-11-10T00:00:00.000Z', '2026-11-19T00:00:00.000Z'),
    note('2026-11-10T00:00:00.000Z', '2026-11-19T00:00:01.000Z'),
    note('2026-11-20T23:59:00.000Z'),
    note('2026-11-21T00:00:00.000Z'),
  ];
  expect(notesWithin(all, range, 'UTC')).toEqual([all[2], all[3]]);
});
