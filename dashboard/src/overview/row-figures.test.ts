import { expect, test } from 'vitest';
import type { Measure } from '../measures.ts';
import type { Answer, Row } from '../questions.ts';
import { hasShare, listMeasures, rowFigures } from './row-figures.ts';

const figures = (row: Row, totals: Answer['totals'], measure: Measure = 'plays') =>
  rowFigures(row, totals, measure);

test('a row has its share of the whole, and what it had before', () => {
  const totals = { plays: 200, previous: { plays: 90 } };
  expect(figures({ plays: 50, previous: { plays: 40 } }, totals)).toEqual({
    ...{ value: 50, share: 0.25, change: { before: 40 } },
  });
});

test('of other measures, plays say how much the change rests on', () => {
  expect(listMeasures('plays')).toEqual(['plays']);
  expect(listMeasures('viewers')).toEqual(['viewers', 'plays']);
  const totals = { viewers: 100, plays: 400, previous: { viewers: 50, plays: 80 } };
  const row = { viewers: 10, plays: 60 };
  const before = (plays: number) => ({ ...row, previous: { viewers: 8, plays } });
  expect(figures(before(5), totals, 'viewers')).toMatchObject({
    share: 0.1,
    change: { before: 8 },
  });
  expect(figures(before(4), totals, 'viewers').change).toBe('unsure');
});

test('what was not played before is new, unless nothing was', () => {
  const was = { plays: 200, previous: { plays: 90 } };
  for (const previous of [null, { plays: 0 }]) {
    expect(figures({ plays: 50, previous }, was).change).toBe('new');
  }
  for (const previous of [null, { plays: 0 }]) {
    const totals = { plays: 200, previous };
    expect(figures({ plays: 50, previous: null }, totals).change).toBe('unsure');
  }
});

test('an average is no share of anything, and nothing is compared where no period is', () => {
  expect(['plays', 'playMs', 'viewers'].map((name) => hasShare(name as Measure))).toEqual([
    ...[true, true, true],
  ]);
  const row = { averagePlayMs: 5_000, plays: 50 };
  expect(figures(row, { averagePlayMs: 4_000, plays: 60 }, 'averagePlayMs')).toEqual({
    ...{ value: 5_000, share: undefined, change: undefined },
  });
  expect(figures({ plays: 0 }, { plays: 0 }).share).toBeUndefined();
});
