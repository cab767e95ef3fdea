import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Beacon } from './beacon.ts';
import { systemClock } from './clock.ts';
import { createQueue, queueLimitBeacons } from './queue.ts';
import type { Stretch } from './stretch-meter.ts';

/** What browsers take of requests that outlive their page. */
const keepaliveLimitBytes = 65_536;

const beacon = (change: Partial<Beacon<Stretch>> = {}): Beacon<Stretch> => ({
  view: 'v',
  stretch: 0,
  at: Date.now(),
  playMs: 1000,
  mediaMs: 1000,
  videoKey: 'k',
  ...change,
});

test('keeps the largest time of a stretch', () => {
  const queue = createQueue(systemClock);
  for (const playMs of [2000, 3000, 1000]) queue.put(beacon({ playMs }));
  expect(queue.all().map(({ playMs }) => playMs)).toEqual([3000]);
});

test('keeps the last outcome of a wait, and the longest, beside the stretch of its number', () => {
  const queue = createQueue(systemClock);
  const about = { view: 'v', wait: 0, videoKey: 'k', at: Date.now(), cause: 'start' } as const;
  queue.put({ ...about, waitMs: 300, outcome: 'played' });
  queue.put({ ...about, waitMs: 300, outcome: 'left' });
  queue.put({ ...about, waitMs: 200, outcome: 'waiting' });
  queue.put(beacon());
  expect(queue.all()).toMatchObject([{ waitMs: 300, outcome: 'played' }, { playMs: 1000 }]);
});

test('keeps the stretches of two videos under one name of a view', () => {
  const queue = createQueue(systemClock);
  for (const videoKey of ['k', 'other']) queue.put(beacon({ videoKey }));
  expect(queue.all().map(({ videoKey }) => videoKey)).toEqual(['k', 'other']);
});

test('drops the oldest beyond its limit', () => {
  const queue = createQueue(systemClock);
  for (let stretch = 0; stretch < queueLimitBeacons + 5; stretch += 1) {
    queue.put(beacon({ stretch }));
  }
  expect(queue.all()).toHaveLength(queueLimitBeacons);
  expect(queue.all()[0]?.stretch).toBe(5);
});

test.each([
  { ageHours: 47, offsetHours: 0, sent: 1 },
  { ageHours: 49, offsetHours: 0, sent: 0 },
  // A clock that is days off does not make a beacon old.
  { ageHours: 1, offsetHours: 90, sent: 1 },
  { ageHours: 1, offsetHours: -90, sent: 1 },
])('of $ageHours h with a clock $offsetHours h off sends $sent', (row) => {
  const queue = createQueue(systemClock);
  queue.put(beacon({ at: Date.now() - row.ageHours * 3_600_000 }));
  expect(queue.take(row.offsetHours * 3_600_000)).toHaveLength(row.sent);
  expect(queue.take(row.offsetHours * 3_600_000)).toHaveLength(row.sent);
});

test('a batch fits into a keepalive request, and the batches hold everything once', () => {
  // Of one to four bytes, and of six characters when it is escaped.
  const character = fc.constantFrom('x', 'ß', '한', '😀', '\u0001');
  const length = fc.integer({ min: 1, max: 400 });
  fc.assert(
    fc.property(character, length, fc.integer({ min: 1, max: 300 }), (unit, size, count) => {
      const videoKey = unit.repeat(size);
      const queue = createQueue(systemClock);
      for (let stretch = 0; stretch < count; stretch += 1) queue.put(beacon({ stretch, videoKey }));
      const sent: (number | undefined)[] = [];
      for (let batch = queue.take(0); batch.length > 0; batch = queue.take(0)) {
        const body = new TextEncoder().encode(JSON.stringify({ beacons: batch }));
        expect(body.length).toBeLessThan(keepaliveLimitBytes);
        sent.push(...batch.map(({ stretch }) => stretch));
        queue.settle(batch);
      }
      expect(sent).toEqual(Array.from({ length: count }, (_, stretch) => stretch));
    }),
    { numRuns: 30 },
  );
});
