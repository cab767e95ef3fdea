import { expect, test } from 'vitest';
import { shadeOf, shadesOfShares, shadesOfValues } from '../map/map-shades.ts';
import { mappedCountries } from './mapped-countries.ts';

const answer = {
  rows: [
    { country: 'KR', plays: 75, previous: { plays: 50 } },
    { country: 'Unknown', plays: 20, previous: null },
    { country: 'US', plays: 5, previous: null },
  ],
  totals: { plays: 100, previous: { plays: 50 } },
  rowCount: 3,
};

test('a country has its share; one that the whole answer does not name had nothing', () => {
  const { find, ranked, amountOf } = mappedCountries(answer, 'plays', []);
  expect(ranked).toEqual(['KR', 'US']);
  expect(find('KR')).toEqual({ value: 75, share: 0.75, change: { before: 50 } });
  expect(find('US')).toEqual({ value: 5, share: 0.05, change: 'new' });
  expect(find('FR')).toEqual({ value: 0, share: 0, change: undefined });
  expect(['KR', 'US', 'FR'].map(amountOf)).toEqual([0.75, 0.05, 0]);
});

test.each([
  ['more countries than the answer has', { ...answer, rowCount: 400 }, []],
  ['countries that a filter leaves out', answer, [{ name: 'country', values: ['KR'] }]],
  ['no country of anybody', { ...answer, rows: answer.rows.slice(1, 2), rowCount: 1 }, []],
])('%s: nothing is known of the others', (_, some, filters) => {
  const asked = filters.map((filter) => ({ ...filter, operator: '==' as const }));
  const { find, amountOf } = mappedCountries(some, 'plays', asked);
  expect(find('FR').value).toBeUndefined();
  expect(amountOf('FR')).toBeUndefined();
});

test('an average of nothing is no value, and shades go from the smallest to the largest', () => {
  const rows = [
    { country: 'KR', plays: 75, averagePlayMs: 10_000 },
    { country: 'US', plays: 5, averagePlayMs: 4_500 },
  ];
  const totals = { plays: 80, averagePlayMs: 9_000 };
  const { find, amountOf, shades } = mappedCountries(
    ...([{ rows, totals, rowCount: 2 }, 'averagePlayMs', []] as const),
  );
  expect(find('FR').value).toBeNull();
  expect(['KR', 'US', 'FR'].map((code) => shadeOf(amountOf(code), shades))).toEqual([
    ...[5, 1, undefined],
  ]);
});

test('each shade begins at its share', () => {
  const shades = [undefined, 0, 0.0001, 0.01, 0.05, 0.1, 0.2499, 0.25, 1].map((share) =>
    shadeOf(share, shadesOfShares()),
  );
  expect(shades).toEqual([undefined, 0, 1, 2, 3, 4, 4, 5, 5]);
  expect(shadesOfValues([5, 5]).steps).toEqual([]);
  expect(shadeOf(5, shadesOfValues([5, 5]))).toBe(1);
});
