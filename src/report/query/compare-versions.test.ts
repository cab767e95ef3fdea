import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

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
