import { pino } from 'pino';
import { expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createDamageSearch } from './disk-space.ts';

const secondMs = 1_000;

function start(outcome: () => Promise<void> = async () => {}) {
  const clock = manualClock();
  const checked: number[] = [];
  const search = createDamageSearch({
    check(withinSeconds) {
      checked.push(withinSeconds);
      return outcome();
    },
    clock,
    logger: pino({ level: 'silent' }),
  });
  const note = async (isFull: boolean, seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      search.note(isFull);
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(secondMs);
    }
  };
  return { checked, note };
}

test('with room nothing is looked at', async () => {
  const { checked, note } = start();
  await note(false, 300);
  expect(checked).toEqual([]);
});

test('it is looked at once a minute while the disk is full, and once when there is room', async () => {
  const { checked, note } = start();
  await note(true, 150);
  expect(checked).toEqual([120, 120]);
  await note(false, 300);
  expect(checked).toEqual([120, 120, 90]);
  await note(true, 1);
  await note(false, 300);
  expect(checked).toEqual([120, 120, 90, 61]);
});

test('what could not be looked at is looked at again', async () => {
  let isAway = true;
  const { checked, note } = start(async () => {
    if (isAway) throw new Error('away');
  });
  await note(true, 10);
  await note(false, 61);
  expect(checked).toEqual([70, 130]);
  isAway = false;
  await note(false, 300);
  expect(checked).toEqual([70, 130, 190]);
});
