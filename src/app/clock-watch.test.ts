import { pino } from 'pino';
import { expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { lookEveryMs } from '../lib/time/periodic-reading.ts';
import { watchClock } from './clock-watch.ts';

const minuteMs = 60_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

function open(latestMs: number) {
  const clock = manualClock(latestMs);
  const lines: string[] = [];
  const logger = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const health = async () => ({ latestAheadMs: latestMs - clock.now() });
  const watch = watchClock({ health, clock, logger });
  const look = async () => {
    clock.advance(lookEveryMs);
    await settled();
  };
  return { clock, watch, look, lines };
}

const startMs = Date.UTC(2026, 10, 20, 12);
const away = expect.objectContaining({ code: 'UNAVAILABLE', reason: 'clock' });

test('before the store was asked, nothing is refused for good', async () => {
  const { watch } = open(startMs);
  expect(watch.requireRight).toThrow(away);
  expect(watch.whyBehind()).toBe(undefined);
  await settled();
  expect(watch.requireRight).not.toThrow();
  watch.stop();
});

test('a clock that is set back is noticed at once, and logged until it is right', async () => {
  const { clock, watch, look, lines } = open(startMs);
  await settled();
  clock.set(startMs - 59_000);
  expect(watch.whyBehind()).toBe(undefined);
  clock.set(startMs - 10 * minuteMs);
  expect(watch.whyBehind()).toMatch(/600 s behind/);
  expect(watch.requireRight).toThrow(away);
  await look();
  await look();
  expect(lines).toEqual(['the clock is behind: beacons are refused']);
  clock.set(startMs);
  expect(watch.whyBehind()).toBe(undefined);
  await look();
  expect(lines).toEqual(['the clock is behind: beacons are refused', 'the clock is right again']);
  watch.stop();
});
