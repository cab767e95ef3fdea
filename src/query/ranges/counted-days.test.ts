import { expect, test } from 'vitest';
import { hasMarks, knownDays, parametersOfDays, toSpans } from './counted-days.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 4, 4);
const dayAt = (index: number, marks = 0) => {
  return { day: first + index * dayMs, countedAtMs: 7 + index, marks, namedViews: 0 };
};

test('counted days are looked for on all days that a range has a part of', async () => {
  const asked: object[] = [];
  const facts = {
    async audienceDays(range: object) {
      asked.push(range);
      return [dayAt(0)];
    },
  };
  const spans = [
    { fromMs: first + 1, untilMs: first + 2 },
    { fromMs: first + dayMs, untilMs: first + 2 * dayMs + 1 },
  ];
  expect(await knownDays({ accountId: 7, spans }, facts)).toEqual([dayAt(0)]);
  await knownDays({ accountId: 7, spans: [] }, facts);
  expect(asked).toEqual([
    { accountId: 7, fromMs: first, untilMs: first + 3 * dayMs },
    { accountId: 7, fromMs: 0, untilMs: 0 },
  ]);
});

test('days have marks if one of them has', () => {
  expect(hasMarks({ days: [dayAt(0), dayAt(1, 1)] })).toBe(true);
  expect(hasMarks({ days: [dayAt(0), dayAt(1)] })).toBe(false);
});

test('runs of days are one span each, and all are bound from the first to the last', () => {
  const days = [dayAt(0), dayAt(1), dayAt(3)];
  const span = (from: number, until: number) => {
    return { fromMs: first + from * dayMs, untilMs: first + until * dayMs };
  };
  expect(toSpans(days)).toEqual([span(0, 2), span(3, 4)]);
  const seconds = (index: number) => (first + index * dayMs) / 1_000;
  expect(parametersOfDays({ days, uncounted: [span(2, 3)] })).toEqual({
    ...{ countedDays: [0, 1, 3].map(seconds), countedAt: [7, 8, 10] },
    ...{ daysFrom: seconds(0), daysUntil: seconds(4) },
    ...{ dayfrom0: seconds(0), dayuntil0: seconds(2), dayfrom1: seconds(3), dayuntil1: seconds(4) },
    ...{ uncountedfrom0: seconds(2), uncounteduntil0: seconds(3) },
  });
});
