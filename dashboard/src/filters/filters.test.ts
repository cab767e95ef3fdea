import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { type Filter, readFilters, replaceFilter, toggleFilter, writeFilters } from './filters.ts';

const filter: fc.Arbitrary<Filter> = fc.record({
  name: fc.constantFrom('country', 'video', 'label.series'),
  operator: fc.constantFrom('==', '!=', '=@', '!@'),
  values: fc.array(fc.string({ minLength: 1, unit: anyCharacter }), { minLength: 1, maxLength: 3 }),
});

test('what is written is read again, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 4 }), (filters) => {
      expect(readFilters(writeFilters(filters))).toEqual(filters);
    }),
  );
});

test.each([
  ['country==KR', [['country', '==', ['KR']]]],
  [
    'page==a\\,b,c;os!=iOS',
    [
      ['page', '==', ['a,b', 'c']],
      ['os', '!=', ['iOS']],
    ],
  ],
  ['label.series=@a==b', [['label.series', '=@', ['a==b']]]],
  [
    'os ==iOS; label.my series !=a',
    [
      ['os', '==', ['iOS']],
      ['label.my series', '!=', ['a']],
    ],
  ],
  ['country==', []],
  ['nonsense;os==iOS', [['os', '==', ['iOS']]]],
])('%s', (text, expected) => {
  expect(readFilters(text)).toEqual(
    expected.map(([name, operator, values]) => ({ name, operator, values })),
  );
});

test('a click sets a filter, a click on another value changes it, a click on the same ends it', () => {
  const set = toggleFilter(readFilters('os==iOS'), 'country', 'KR');
  expect(writeFilters(set)).toBe('os==iOS;country==KR');
  expect(writeFilters(toggleFilter(set, 'country', 'US'))).toBe('os==iOS;country==US');
  expect(writeFilters(toggleFilter(set, 'country', 'KR'))).toBe('os==iOS');
});

test('a changed filter takes the place of the one it was, and of its kind there is one', () => {
  const filters = readFilters('country==KR;os!=iOS;page=@film');
  const [countries, systems] = filters;
  const changed = (was: Filter | undefined, next: string) =>
    writeFilters(replaceFilter(filters, was, readFilters(next)[0] as Filter));
  expect(changed(countries, 'device==tv')).toBe('device==tv;os!=iOS;page=@film');
  expect(changed(systems, 'page=@clip')).toBe('country==KR;page=@clip');
  expect(changed(undefined, 'country==US,JP')).toBe('os!=iOS;page=@film;country==US,JP');
  expect(changed(undefined, 'country!=US')).toBe('country==KR;os!=iOS;page=@film;country!=US');
});
