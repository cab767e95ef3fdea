import { expect, test, vi } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters, createWindows, windowMs } from './limiter.ts';

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

/** Windows that count, and a clock that is set by hand. */
function counted() {
  let nowMs = 5;
  const windows = createWindows({ monotonic: () => nowMs }, () => ({ count: 0 }));
  return {
    windows,
    pass(ms: number) {
      nowMs += ms;
    },
    count(subject: string) {
      const { state } = windows.of(subject);
      state.count += 1;
      return state.count;
    },
  };
}

test.each([0, 1, 0.5, 0.999])('a state holds for a minute from its beginning (%d)', (after) => {
  const { windows, pass, count } = counted();
  pass(after * windowMs);
  expect(count('a')).toBe(1);
  pass(windowMs - 1);
  expect(count('b')).toBe(1);
  expect(count('a')).toBe(2);
  expect(windows.find('a')).toEqual({ state: { count: 2 }, msBeforeNext: 1 });
  pass(1);
  expect(windows.find('a')).toBeUndefined();
  expect(count('a')).toBe(1);
});

test('one that is to end with another is kept until then, however often', () => {
  const { windows, pass, count } = counted();
  count('a');
  for (let times = 2; times < 9; times += 1) {
    pass(windowMs - 1);
    expect(count('a')).toBe(times);
    windows.end('a', windowMs);
  }
  windows.end('a', 0);
  expect(count('a')).toBe(1);
  windows.end('none', windowMs);
  expect(windows.find('none')).toBeUndefined();
});

test('what has ended is forgotten without a walk over all', () => {
  const { pass, count } = counted();
  for (let subject = 0; subject < 100_000; subject += 1) count(`${subject}`);
  const walks = (['entries', 'keys', 'values', 'forEach', 'delete'] as const).map((name) =>
    vi.spyOn(Map.prototype, name as 'delete'),
  );
  walks.push(vi.spyOn(Map.prototype, Symbol.iterator as unknown as 'delete'));
  for (let minute = 0; minute < 3; minute += 1) {
    pass(windowMs);
    count('a');
  }
  const steps = walks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  vi.restoreAllMocks();
  expect(steps).toBe(0);
});
