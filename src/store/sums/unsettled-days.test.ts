import { expect, test } from 'vitest';
import { createUnsettledDays } from './touched-days.ts';

const since = (untilMs: number) => (waiting: { readonly sinceMs: number }) =>
  waiting.sinceMs <= untilMs;

const day = (accountId: number, of: number) => ({ accountId, day: of });

test('days are unsettled for their account, in order, until they are settled', () => {
  const days = createUnsettledDays();
  days.add([day(1, 30), day(1, 4), day(2, 7), day(1, 200)], { sinceMs: 0, through: 0 });
  expect(days.of(1)).toEqual([4, 30, 200]);
  expect(days.of(2)).toEqual([7]);
  expect(days.of(3)).toEqual([]);
  days.settle([day(1, 30), day(2, 7), day(3, 1)]);
  expect(days.of(1)).toEqual([4, 200]);
  expect(days.of(2)).toEqual([]);
});

test('a day touched again stays as old as it is; settled and touched again it is new', () => {
  const days = createUnsettledDays();
  days.add([day(1, 4)], { sinceMs: 10, through: 100 });
  days.add([day(1, 4), day(1, 5)], { sinceMs: 20, through: 200 });
  expect(days.due(since(10), 9)).toEqual([day(1, 4)]);
  expect(days.oldestThrough()).toBe(100);
  days.settle([day(1, 4)]);
  days.add([day(1, 4)], { sinceMs: 30, through: 300 });
  expect(days.due(since(29), 9)).toEqual([day(1, 5)]);
  expect(days.oldestThrough()).toBe(200);
});

test('the roll-up may go on from the least that any day has seen, if there is one', () => {
  const days = createUnsettledDays();
  expect(days.oldestThrough()).toBeUndefined();
  days.add([day(1, 4)], { sinceMs: 0, through: 300 });
  days.add([day(2, 4)], { sinceMs: 0, through: 100 });
  days.add([day(2, 5)], { sinceMs: 0, through: 200 });
  expect(days.oldestThrough()).toBe(100);
  expect(days.oldestThrough([day(2, 5), day(1, 4)])).toBe(200);
  expect(days.oldestThrough([day(1, 5), day(3, 4), day(1, 4)])).toBe(300);
  expect(days.oldestThrough([day(1, 5), day(3, 4)])).toBeUndefined();
  days.settle([day(1, 4), day(2, 4), day(2, 5)]);
  expect(days.oldestThrough()).toBeUndefined();
});
