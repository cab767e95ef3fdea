import { expect, test } from 'vitest';
import type { Beacon } from './beacon.ts';
import { createTextStore } from './text-store.ts';

const beacon = (stretch: number): Beacon => ({
  ...{ view: 'v', stretch, videoKey: 'k' },
  ...{ at: '2026-11-20T10:00:00.000Z', playMs: 5, mediaMs: 5 },
});

/** A device, whose program is ended and started again. */
function createDevice(kept?: string) {
  let text = kept;
  return () =>
    createTextStore(text, (written) => {
      text = written;
    });
}

function adoptedBy(store: ReturnType<typeof createTextStore>): Beacon[] {
  const found: Beacon[] = [];
  store.adopt((beacons) => found.push(...beacons));
  return found;
}

test('what a run left is adopted by the next, beside what a run between could not yet adopt', () => {
  const start = createDevice();
  start().keep([beacon(0)]);
  start().keep([beacon(1)]);
  const third = start();
  expect(adoptedBy(third)).toEqual([beacon(0), beacon(1)]);
  third.keep([]);
  expect(adoptedBy(start())).toEqual([]);
});

test.each(['', '{"beacons":[{"vi', null])('of a text that is %j nothing is adopted', (text) => {
  const store = createTextStore(text, () => {});
  expect(adoptedBy(store)).toEqual([]);
  expect(store.numbers).toEqual({});
});

test('the numbers of the last hundred views are kept', () => {
  const start = createDevice();
  const store = start();
  for (let view = 1; view <= 102; view += 1) {
    Object.assign(store.numbers, { [`view ${view}`]: view, [`view ${view} wait`]: 1 });
  }
  store.keep([]);
  const { numbers } = start();
  expect(Object.keys(numbers)).toHaveLength(200);
  expect([numbers['view 2'], numbers['view 3'], numbers['view 102']]).toEqual([undefined, 3, 102]);
});
