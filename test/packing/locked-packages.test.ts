import { expect, test } from 'vitest';
import {
  type LockedPackages,
  nameOfPath,
  pathsNeededBy,
} from '../../scripts/packing/locked-packages.ts';

const packages: LockedPackages = {
  'node_modules/a': { dependencies: { b: '1', '@s/c': '1' } },
  'node_modules/a/node_modules/b': { dependencies: { d: '1' } },
  'node_modules/b': {},
  'node_modules/@s/c': { dependencies: { a: '1' }, optionalDependencies: { elsewhere: '1' } },
  'node_modules/d': {
    peerDependencies: { b: '1', unneeded: '1' },
    peerDependenciesMeta: { unneeded: { optional: true } },
  },
  'node_modules/unneeded': {},
};

test('what a package needs is the nearest of that name, and a circle ends', () => {
  expect(pathsNeededBy(['a'], packages)).toEqual([
    'node_modules/@s/c',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/b',
    'node_modules/d',
  ]);
  expect(nameOfPath('node_modules/a/node_modules/@s/c')).toBe('@s/c');
});

test('what is needed and not locked is an error', () => {
  const broken = { 'node_modules/a': { dependencies: { gone: '1' } } };
  expect(() => pathsNeededBy(['a'], broken)).toThrow('has no gone, which node_modules/a needs');
});
