import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createRest } from './backup.ts';

function begin() {
  const clock = manualClock();
  const breaking = new AbortController();
  const rest = createRest(clock, breaking.signal);
  /** Works, then rests; resolves to how long the rest was, in steps of the clock. */
  const restAfter = async (workMs: number, stepMs = 10): Promise<number> => {
    clock.advance(workMs);
    let isRested = false;
    const resting = rest().then(() => {
      isRested = true;
    });
    let restedMs = 0;
    for (; clock.waiting() > 0; restedMs += stepMs) clock.advance(stepMs);
    await resting;
    expect(isRested).toBe(true);
    return restedMs;
  };
  return { clock, breaking, rest, restAfter };
}

test('a rest is as long as the work before it, and a second at most', async () => {
  const { restAfter } = begin();
  expect(await restAfter(200)).toBe(200);
  expect(await restAfter(30)).toBe(30);
  expect(await restAfter(60_000)).toBe(1_000);
});

test('short works are rested from together', async () => {
  const { restAfter } = begin();
  expect(await restAfter(15)).toBe(0);
  expect(await restAfter(15)).toBe(30);
  expect(await restAfter(0)).toBe(0);
});

test('what is interrupted does not rest', async () => {
  const { clock, breaking, rest } = begin();
  clock.advance(500);
  const resting = rest();
  breaking.abort();
  await resting;
  expect(clock.waiting()).toBe(0);
});
