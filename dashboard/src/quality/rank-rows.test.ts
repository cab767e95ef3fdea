import { expect, test } from 'vitest';
import { leastRanked } from './findings.ts';
import { rankRows } from './rank-rows.ts';

const rowOf = (os: string, attempts: number, exitShare: number | null) => ({
  ...{ os, attempts, exitShare },
});
const rows = [
  rowOf('few', leastRanked - 1, 0.9),
  rowOf('fewer', 2, 1),
  rowOf('good', 500, 0.01),
  rowOf('bad', leastRanked, 0.2),
  rowOf('unknown', 100, null),
];
const ranked = (sort: Parameters<typeof rankRows>[1]) => rankRows(rows, sort).map(({ os }) => os);

test('shares of too few attempts are not ranked, whatever the order', () => {
  expect(ranked('-exitShare')).toEqual(['bad', 'good', 'unknown', 'few', 'fewer']);
  expect(ranked('exitShare')).toEqual(['good', 'bad', 'unknown', 'few', 'fewer']);
  expect(ranked('attempts')).toEqual(['bad', 'unknown', 'good', 'few', 'fewer']);
});

test('errors are counted and not divided: all are ranked', () => {
  const errors = [
    { error: 'one', failures: 1 },
    { error: 'many', failures: 9 },
  ];
  expect(rankRows(errors, '-failures').map(({ error }) => error)).toEqual(['many', 'one']);
});
