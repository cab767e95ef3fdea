import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { sleep, systemClock } from './clock.ts';

test('a sleep ends at its instant, and takes its timer with it', async () => {
  const clock = manualClock();
  const ended: string[] = [];
  const long = sleep(clock, 200).then(() => ended.push('long'));
  const short = sleep(clock, 100).then(() => ended.push('short'));
  clock.advance(150);
  await short;
  expect(clock.waiting()).toBe(1);
  clock.advance(50);
  await long;
  expect(ended).toEqual(['short', 'long']);
  expect(clock.waiting()).toBe(0);
});

test('a sleep that is aborted ends at once, before or after it began', async () => {
  const clock = manualClock();
  const abort = new AbortController();
  const sleeping = sleep(clock, 1_000, abort.signal);
  abort.abort();
  await sleeping;
  await sleep(clock, 1_000, abort.signal);
  expect(clock.waiting()).toBe(0);
});

test('setting the wall clock moves no other time', () => {
  const clock = manualClock(1_000);
  clock.set(0);
  clock.advance(5);
  expect([clock.now(), clock.monotonic()]).toEqual([5, 5]);
});

test('the clock of the system runs work once, or not at all where that was cancelled', async () => {
  const ran: string[] = [];
  const cancel = systemClock.after(0, () => ran.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => {
    systemClock.after(1, () => {
      ran.push('last');
      resolve();
    });
  });
  expect(ran).toEqual(['last']);
});
