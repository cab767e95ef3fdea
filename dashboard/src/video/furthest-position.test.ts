import { expect, test } from 'vitest';
import { furthestPosition } from './furthest-position.ts';

/** Answers as the interface does, where somebody watched from the beginning until there. */
function watchedUntil(endMs: number) {
  let asked = 0;
  const ask = async ({ lengthMs, parts }: { lengthMs: number; parts: number }) => {
    asked += 1;
    const border = (part: number) => Math.floor((part * lengthMs) / parts);
    const list = Array.from({ length: parts }, (_, part) => {
      const [fromMs, toMs] = [border(part), border(part + 1)];
      return { part, fromMs, toMs, audience: fromMs < endMs ? 1 : 0, watched: 0 };
    });
    return { list };
  };
  return { ask, asked: () => asked };
}

test.each([
  [0, 0],
  [12_000, 12_000],
  [125_300, 125_000],
  [428_000, 428_000],
])('what was watched for %i ms is %i ms long', async (endMs, lengthMs) => {
  const { ask, asked } = watchedUntil(endMs);
  expect(await furthestPosition(ask)).toBe(lengthMs);
  expect(asked()).toBeLessThanOrEqual(3);
});

test('of hours it is known to a thousandth', async () => {
  const endMs = 2 * 3_600_000;
  const found = await furthestPosition(watchedUntil(endMs).ask);
  expect(Math.abs(found - endMs)).toBeLessThanOrEqual(endMs / 1_000);
});
