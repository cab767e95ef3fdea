/** The parent's side of limits: counts what all workers take, in windows of a minute. */
import type { Clock } from '../lib/clock.ts';
import type { TakenPoints, TakePoints } from './messages.ts';
import { createWindows } from './windows.ts';

export function createSharedPoints(
  clock: Pick<Clock, 'monotonic'>,
): (asked: TakePoints) => TakenPoints {
  const windows = createWindows(clock, () => ({ taken: 0 }));
  return ({ limit, pool, subject, points }) => {
    const { state, msBeforeNext } = windows.of(`${limit} ${subject}`);
    const granted = Math.max(0, Math.min(points, pool - state.taken));
    state.taken += granted;
    return { granted, taken: state.taken, msBeforeNext };
  };
}
