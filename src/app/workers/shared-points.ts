/** The parent's side of limits: counts what all workers take, in windows of a minute. */

import { createWindows } from '../../lib/limits/minute-windows.ts';
import type { TakenPoints, WantedPoints } from '../../lib/limits/shared-limiter.ts';
import type { Clock } from '../../lib/time/clock.ts';

export function createSharedPoints(
  clock: Pick<Clock, 'monotonic'>,
): (wanted: WantedPoints) => TakenPoints {
  const windows = createWindows(clock, () => ({ taken: 0 }));
  return ({ limit, pool, subject, points }) => {
    const { state, msBeforeNext } = windows.of(`${limit} ${subject}`);
    const granted = Math.max(0, Math.min(points, pool - state.taken));
    state.taken += granted;
    return { granted, taken: state.taken, msBeforeNext };
  };
}
