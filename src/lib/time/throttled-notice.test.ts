import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createThrottle } from './throttled-notice.ts';

test('it says the first, and then once in a while how many came', () => {
  const clock = manualClock();
  const said: number[] = [];
  const seldom = createThrottle(clock, 1_000);
  const note = () => seldom((count) => said.push(count));
  note();
  expect(said).toEqual([1]);
  note();
  clock.advance(999);
  note();
  expect(said).toEqual([1]);
  clock.advance(1);
  note();
  expect(said).toEqual([1, 3]);
  clock.advance(1_000);
  note();
  expect(said).toEqual([1, 3, 1]);
});
