import { expect, test } from 'vitest';
import type { Row } from '../questions.ts';
import { weekCells } from './week-cells.ts';

const cells = (rows: readonly object[] | undefined, measure: Parameters<typeof weekCells>[1]) =>
  weekCells(rows as readonly Row[] | undefined, measure);

test('each hour of each weekday has its value, and where nothing was played it is 0', () => {
  const week = cells(
    [
      { hourOfWeek: '1-00', plays: 3 },
      { hourOfWeek: '7-23', plays: 5 },
    ],
    'plays',
  );
  expect(week).toHaveLength(7);
  expect(week?.map((day) => day.length)).toEqual(Array(7).fill(24));
  expect([week?.[0]?.[0], week?.[6]?.[23], week?.[3]?.[12]]).toEqual([3, 5, 0]);
});

test('an hour in which nothing was played has no average', () => {
  const week = cells([{ hourOfWeek: '1-00', averagePlayMs: 9_000 }], 'averagePlayMs');
  expect([week?.[0]?.[0], week?.[0]?.[1]]).toEqual([9_000, null]);
});

test('a share of too few views is none', () => {
  const row = { hourOfWeek: '2-09', averageSeen: 0.5, positionedViews: 4 };
  expect(cells([row], 'averageSeen')?.[1]?.[9]).toBeNull();
  expect(cells([{ ...row, positionedViews: 5 }], 'averageSeen')?.[1]?.[9]).toBe(0.5);
});

test('hours that were not read are not hours without plays', () => {
  expect(cells(undefined, 'plays')).toBeUndefined();
});
