import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Clock } from '../time/clock.ts';
import { followSteps } from './clock-steps.ts';

const instantMs = Date.UTC(2026, 0, 1);

test('an instant stays as it is while time passes, and follows a clock that is set', () => {
  const clock = manualClock(instantMs);
  const instant = followSteps(clock, instantMs);
  clock.advance(3_600_000);
  expect(instant()).toBe(instantMs);
  clock.set(clock.now() - 7_200_000);
  expect(instant()).toBe(instantMs - 7_200_000);
  clock.set(clock.now() + 7_200_999);
  expect(instant()).toBe(instantMs);
  clock.set(clock.now() + 1);
  expect(instant()).toBe(instantMs + 1_000);
});

test.each(['at first', 'later'])('one held up between its clocks, %s, sees no step', (when) => {
  const clock = manualClock(instantMs);
  let readings = Number.POSITIVE_INFINITY;
  /** Held up once, after the first of these readings. */
  const held = (name: 'now' | 'monotonic') => () => {
    readings -= 1;
    if (readings === 0) clock.advance(5_000);
    return clock[name]();
  };
  const slow: Clock = { ...clock, now: held('now'), monotonic: held('monotonic') };
  if (when === 'at first') readings = 2;
  const instant = followSteps(slow, instantMs);
  if (when === 'later') readings = 2;
  expect(instant()).toBe(instantMs);
  expect(clock.monotonic()).toBe(5_000);
});
