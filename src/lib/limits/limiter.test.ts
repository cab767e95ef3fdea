import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters } from './limiter.ts';

test('each subject of each limit is counted for a minute from when it was first counted', () => {
  const clock = manualClock();
  const limiterOf = createProcessLimiters(clock);
  const [limiter, other] = [limiterOf('one', 2, 'exact'), limiterOf('other', 2, 'cheap')];
  expect(limiter.points).toBe(2);
  // That begins no minute.
  expect(limiter.look('a')).toEqual({ consumed: 0, msBeforeNext: 60_000 });
  clock.advance(30_000);
  expect(limiter.consume('a')).toEqual({ consumed: 1, msBeforeNext: 60_000 });
  clock.advance(20_000);
  limiter.note('a');
  expect(limiter.look('a')).toEqual({ consumed: 2, msBeforeNext: 40_000 });
  // Also what is refused.
  expect(limiter.consume('a')).toEqual({ consumed: 3, msBeforeNext: 40_000 });
  expect(limiter.consume('b')).toEqual({ consumed: 1, msBeforeNext: 60_000 });
  expect(other.look('a')).toEqual({ consumed: 0, msBeforeNext: 60_000 });
  clock.advance(39_999);
  expect(limiter.look('a')).toEqual({ consumed: 3, msBeforeNext: 1 });
  clock.advance(1);
  expect(limiter.look('a')).toEqual({ consumed: 0, msBeforeNext: 60_000 });
});
