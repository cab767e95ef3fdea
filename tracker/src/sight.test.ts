import { expect, test } from 'vitest';
import { playedUntil } from './sight.ts';

const ranges = (...spans: [number, number][]): TimeRanges => ({
  length: spans.length,
  start: (index) => spans[index]?.[0] ?? Number.NaN,
  end: (index) => spans[index]?.[1] ?? Number.NaN,
});

test.each([
  { spans: ranges([0, 5.2]), position: 5, until: 5.2 },
  { spans: ranges([0, 2], [8, 9.5]), position: 9, until: 9.5 },
  { spans: ranges([0, 2]), position: 5, until: 5 },
  { spans: ranges([5.001, 6]), position: 5, until: 6 },
  { spans: ranges(), position: 3, until: 3 },
])('from $position the media had come to $until', ({ spans, position, until }) => {
  expect(playedUntil(spans, position)).toBe(until);
});
