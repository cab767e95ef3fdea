import { expect, test } from 'vitest';
import { firstOfAccount, parametersOfDays, slotsOfWholeDays } from './account-days.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2025, 11, 31);

test('days of several accounts, with the first and the last of all', () => {
  const days = [
    { accountId: 2, day },
    { accountId: 1, day: day + dayMs },
    { accountId: 2, day: day - dayMs },
  ];
  const [first, second, third] = [0, dayMs, -dayMs].map((ms) => (day + ms) / 1_000);
  expect(parametersOfDays(days)).toEqual({
    ...{ accounts: [2, 1, 2], days: [first, second, third] },
    ...{ firstDay: third, lastDay: second },
  });
});

test.each<[number, number, [first: number, last: number] | undefined]>([
  [day, day + dayMs, [day, day + dayMs]],
  [day + 1, day + 2 * dayMs, [day + dayMs, day + 2 * dayMs]],
  [day - 1, day + 2 * dayMs - 1, [day, day + dayMs]],
  [day + 1, day + 2 * dayMs - 1, undefined],
  [day + 1, day + dayMs, undefined],
  [day, day, undefined],
])('the whole days from %i to %i', (fromMs, untilMs, expected) => {
  const slots = slotsOfWholeDays({ accountId: 7, fromMs, untilMs });
  const [first, last] = expected ?? [];
  expect(slots?.parameters).toEqual(
    expected && { accountId: 7, first: (first ?? 0) / 1_000, last: (last ?? 0) / 1_000 },
  );
  if (slots) expect(slots.sql).toContain('slot >= {first:UInt32} AND slot < {last:UInt32}');
});

test.each<[string, [accountId: number, at: number, dayPlays: number][], number[]]>([
  ['none', [], []],
  ['one, however many plays it has', [[1, 5, 900]], [5]],
  [
    'as many as fit',
    [
      [1, 5, 60],
      [1, 4, 40],
      [1, 3, 1],
    ],
    [5, 4],
  ],
  [
    'those before one that does not fit',
    [
      [1, 5, 60],
      [1, 4, 41],
      [1, 3, 1],
    ],
    [5],
  ],
  [
    'those of the first account',
    [
      [2, 5, 1],
      [2, 4, 1],
      [1, 9, 1],
      [2, 3, 1],
    ],
    [5, 4],
  ],
])('the first days of a list: %s', (_, listed, days) => {
  const list = listed.map(([accountId, at, dayPlays]) => ({ accountId, at, dayPlays }));
  const [first] = list;
  expect(firstOfAccount(list, 100)).toEqual(
    days.map((at) => ({ accountId: first?.accountId, day: at * 1_000 })),
  );
});
