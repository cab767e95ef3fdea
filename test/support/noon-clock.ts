import { type Clock, systemClock } from '../../src/lib/time/clock.ts';

/** The system's, but that it is noon when it is made: no day ends while the tests of a file run. */
export function noonClock(): Clock {
  const noonMs = new Date(systemClock.now()).setUTCHours(12, 0, 0, 0);
  const aheadMs = noonMs - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + aheadMs };
}
