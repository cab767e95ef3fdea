import { expect, test } from 'vitest';
import { compareVersions } from './label.ts';

test('versions are ordered as people read them', () => {
  const ordered = [
    '0',
    '9',
    '09',
    '9.3',
    '10',
    '10.2',
    '10.15',
    '10.15.7',
    '10.beta',
    '99999999999999999999',
    '100000000000000000000',
    'Unknown',
    'beta',
  ];
  const mixed = [...ordered].sort();
  expect(mixed).not.toEqual(ordered);
  expect(mixed.sort(compareVersions)).toEqual(['0', '09', '9', '9.3', ...ordered.slice(4)]);
});

test.each([
  ['alpha', 'beta', -1],
  ['beta', 'alpha', 1],
  ['beta', 'beta', 0],
  ['9', 'beta', -1],
  ['beta', '9', 1],
  ['1a', '1', 1],
  ['a1', '1', 1],
  ['2b', '100', 1],
  ['b2', '100', 1],
  ['9', '10b', -1],
  ['0010', '9', 1],
  ['0010', '010', -1],
  ['1.2', '1.2.0', -1],
])('%s against %s', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
});
