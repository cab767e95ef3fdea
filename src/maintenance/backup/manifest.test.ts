import { expect, test } from 'vitest';
import { whyUnfit } from './manifest.ts';

const mark = {
  ...{ beganAtMs: 1_000, accounts: 2, packages: 3 },
  ...{ videos: 40, publications: 50, changes: 6 },
};

test('the catalog of that moment goes with the facts, and so does a later one', () => {
  expect(whyUnfit(mark, mark)).toBeUndefined();
  expect(whyUnfit(mark, { ...mark, accounts: 9, videos: 41, changes: 7 })).toBeUndefined();
});

test.each(['accounts', 'packages', 'videos', 'publications', 'changes'] as const)(
  'one with less %s is older',
  (name) => {
    expect(whyUnfit(mark, { ...mark, [name]: mark[name] - 1 })).toBe(
      `it is older than the backup: it lacks ${name}`,
    );
  },
);

test('one that began at another moment is another, however much it has', () => {
  expect(whyUnfit(mark, { ...mark, beganAtMs: 1_001, videos: 99 })).toBe('it is another catalog');
});
