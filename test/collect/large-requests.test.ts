/** Requests that make far more facts than beacons: in parts, beside everybody else. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SpoolLimits } from '../../src/collect/spool/spool.ts';
import { nextTurn } from '../../src/lib/tasks/fair-turns.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { slotMs } from '../../src/store/facts.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type Collecting, startCollecting } from '../support/collecting.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const player = { userAgent: '(SM-G991N; Android 14) App/1.2' };
/** What may be made between two looks at how much is in a part. */
const largestPart = 2_000 + 500 + 97;

let collecting: Collecting;
let videoKey: string;
beforeEach(() => begin());
afterEach(() => collecting.stop());

async function begin(limits: Partial<SpoolLimits> = {}): Promise<void> {
  collecting = await startCollecting({ insertEveryMs: 0, ...limits });
  const { catalog } = collecting;
  const { accountId, folderId, packageId } = await addLibrary(catalog);
  const { accessKey } = accepted(await catalog.videos.create(accountId, { folderId, title: 'T' }));
  const name = { accountId, packageId, accessKey };
  ({ videoKey } = accepted(await catalog.publications.publish(name)));
}

/** Views that began a day ago, off the boundary of a slot: each is 97 facts. */
const days = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = new Date(collecting.clock.now() - dayMs - 1).toISOString();
    return { view: `day-${index}`, stretch: 0, at, playMs: dayMs, videoKey };
  });
const moment = () => {
  const at = new Date(collecting.clock.now()).toISOString();
  return { view: 'moment', stretch: 0, at, playMs: 1, videoKey };
};

test('a thousand days are written in parts and answered when all are durable', async () => {
  const { collector, facts } = collecting;
  expect(await collector.collect(days(1_000), player)).toEqual({ accepted: 1_000, rejected: [] });
  const sizes = facts.written.map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(largestPart);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(97_000);
  const all = facts.written.flat();
  expect(all.reduce((sum, { playMs }) => sum + playMs, 0)).toBe(1_000 * dayMs);
  expect(new Set(all.map((fact) => `${fact.view} ${fact.slotStart}`)).size).toBe(97_000);
  expect(all.every(({ slotStart }) => slotStart % slotMs === 0)).toBe(true);
});

test('many such requests at once leave little waiting, and a player passes them', {
  tags: 'long',
}, async () => {
  const { collector, facts } = collecting;
  facts.hold();
  const large = Array.from({ length: 20 }, () => collector.collect(days(100), player));
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  // One write is under way, and the player's goes with the next: of each, no more may wait.
  const small = collector.collect([moment()], player);
  facts.release();
  await small;
  const before = facts.written.flat().length;
  expect(before).toBeLessThanOrEqual(2 * (3_500 + largestPart) + 1);
  await Promise.all(large);
  expect(facts.written.flat()).toHaveLength(20 * 9_700 + 1);
});

test('work on a large request is spread over turns of the event loop', async () => {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  const beacons = Array.from({ length: 1_000 }, (_, stretch) => ({ ...moment(), stretch }));
  await collecting.collector.collect(beacons, player);
  isDone = true;
  await counting;
  // Their forms and their facts, in portions of 50.
  expect(turns).toBeGreaterThanOrEqual(2 * 19);
});

test('if a part cannot be kept, the whole request is to be sent again', async () => {
  await collecting.stop();
  await begin({ waitForRoomMs: { small: 1, large: 1 } });
  const { collector, facts } = collecting;
  facts.hold();
  const refused = expect(collector.collect(days(100), player)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expect.poll(() => facts.attempts()).toBe(1);
  facts.notReady('the store went away');
  facts.release();
  await refused;
  expect(facts.written).toHaveLength(1);
  facts.notReady(undefined);
  const again = await collector.collect(days(100), player);
  expect(again).toEqual({ accepted: 100, rejected: [] });
  const unavailable = await collecting.metrics
    .getSingleMetric('playmeter_beacons_unavailable_total')
    ?.get();
  expect(unavailable?.values[0]?.value).toBe(100);
});
