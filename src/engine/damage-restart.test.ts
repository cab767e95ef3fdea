import { expect, test } from 'vitest';
import { restartOnDamage } from './damage-restart.ts';

test('damage restarts the engine at once, then after pauses that double up to an hour', () => {
  const restarts: number[] = [];
  let now = 0;
  const engine = { restart: () => restarts.push(now) };
  const onDamage = restartOnDamage(engine, { monotonic: () => now });
  for (; now < 4 * 3_600_000; now += 1_000) onDamage();
  const pauses = restarts.slice(1).map((at, index) => (at - (restarts[index] ?? 0)) / 60_000);
  expect(restarts[0]).toBe(0);
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});
