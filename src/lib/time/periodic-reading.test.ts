import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { nextTurn } from '../tasks/fair-turns.ts';
import { readPeriodically } from './periodic-reading.ts';

/** A look that ends when the test says so. */
function heldLook(mostShare?: number) {
  const clock = manualClock();
  const begun: PromiseWithResolvers<number>[] = [];
  const looks = readPeriodically(
    () => {
      const held = Promise.withResolvers<number>();
      begun.push(held);
      return held.promise;
    },
    clock,
    mostShare,
  );
  return { clock, begun, looks, read: () => looks.read((seen) => seen) };
}

test('what was seen is answered for a minute, and looked at again every 15 s after the look', async () => {
  const { clock, begun, looks, read } = heldLook();
  expect(read()).toBeNaN();
  clock.advance(250);
  begun[0]?.resolve(7);
  await nextTurn();
  expect(read()).toBe(7);
  expect(looks.tookMs()).toBe(250);
  clock.advance(14_999);
  expect(begun).toHaveLength(1);
  clock.advance(1);
  expect(begun).toHaveLength(2);
  // The second look hangs: nothing is begun beside it, and what is old is not answered as new.
  clock.advance(44_999);
  expect(read()).toBe(7);
  clock.advance(1);
  expect(read()).toBeNaN();
  expect(looks.tookMs()).toBeNaN();
  expect(begun).toHaveLength(2);
  looks.stop();
  begun[1]?.resolve(8);
  await nextTurn();
  expect(clock.waiting()).toBe(0);
});

test('what fails is looked at again after 2 s', async () => {
  const { clock, begun, looks, read } = heldLook();
  begun[0]?.reject(new Error('away'));
  await nextTurn();
  expect(read()).toBeNaN();
  clock.advance(1_999);
  expect(begun).toHaveLength(1);
  clock.advance(1);
  expect(begun).toHaveLength(2);
  looks.stop();
});

test('looks that last are as much rarer, and answered for as much longer', async () => {
  const { clock, begun, looks, read } = heldLook(1 / 50);
  clock.advance(2_000);
  begun[0]?.resolve(7);
  await nextTurn();
  clock.advance(97_999);
  expect(begun).toHaveLength(1);
  expect(read()).toBe(7);
  clock.advance(1);
  expect(begun).toHaveLength(2);
  // A short one comes back to the usual pace.
  begun[1]?.resolve(8);
  await nextTurn();
  clock.advance(15_000);
  expect(begun).toHaveLength(3);
  looks.stop();
});
