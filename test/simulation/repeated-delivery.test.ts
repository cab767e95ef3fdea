/**
 * Beacons once and in order; the same beacons duplicated, shuffled, in other batches and half of
 * them late: the answers are the same, byte by byte, and those of the naive oracle.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Beacon } from '../../src/wire/beacon.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { Oracle } from './oracle.ts';
import {
  beaconsOf,
  inBatches,
  type PlannedStretch,
  plannedStretches,
  systems,
  zones,
} from './viewers.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const range = { firstDay: '2025-12-01', lastDay: '2026-11-30' };
const address =
  '/report/statistics/video/v1/info/date?sdate=2025-12-01&edate=2026-11-30&pageSize=1000';
const videosPerAccount = 3;

test('answers depend on what was played, not on how it was delivered', async () => {
  await fc.assert(
    fc.asyncProperty(
      plannedStretches(videosPerAccount, 40),
      fc.constantFrom(...zones),
      fc.integer({ min: 8, max: 80 }),
      fc.infiniteStream(fc.nat(1_000_000)),
      async (stretches, zone, batchSize, random) => {
        const once = await deliver(zone, stretches, (beacons) => [beacons]);
        const again = await deliver(zone, stretches, (beacons) => {
          const twice = shuffled([...beacons, ...beacons], random);
          const half = Math.ceil(twice.length / 2);
          const onTime = inBatches(twice.slice(0, half), batchSize);
          return [...onTime, [], ...inBatches(twice.slice(half), batchSize + 7)];
        });
        expect(again.list).toBe(once.list);
        expect(JSON.parse(once.list)).toEqual(expected(once.oracle, once.account));
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
}, 240_000);

/** Into an account of its own. An empty batch stands for a pause in which all is rolled up. */
async function deliver(
  timeZone: string,
  stretches: readonly PlannedStretch[],
  batchesOf: (beacons: Beacon[]) => Beacon[][],
) {
  const account = await service.addAccount(timeZone);
  const packageId = await account.addPackage();
  const oracle = new Oracle();
  const videos: string[] = [];
  for (let index = 0; index < videosPerAccount; index += 1) {
    const accessKey = await account.addVideo();
    await account.publish(packageId, accessKey);
    videos.push(accessKey);
  }
  const beacons = stretches.flatMap((planned) => {
    const accessKey = videos[planned.publication] ?? '';
    const { name: os, version: osVersion, ...evidence } = systems[planned.system] ?? systems[0];
    const told = beaconsOf(planned, { accessKey, packageId, ...evidence });
    const { accountId } = account;
    oracle.tell(
      ...told.map((beacon) => ({ accountId, packageId, accessKey, os, osVersion, beacon })),
    );
    return told;
  });
  for (const batch of batchesOf(beacons)) {
    if (batch.length === 0) {
      await service.facts.rollUp();
      continue;
    }
    const response = await service.send(batch, { 'x-api-key': account.key });
    expect(await response.json()).toEqual({ accepted: batch.length, rejected: [] });
  }
  await service.facts.rollUp();
  const { list } = await service.ask(address, account.key);
  return { list: JSON.stringify(list), oracle, account };
}

function expected(oracle: Oracle, { accountId, timeZone }: TestAccount) {
  const counts = oracle.answer({ accountId, timeZone, ...range }, ({ date }) => date);
  return [...counts]
    .filter(([, { plays, playMs }]) => plays > 0 || playMs > 0)
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([date, { plays, playMs }]) => ({
      duration: String(Math.floor(playMs / 1_000)),
      videoCount: String(plays),
      date,
    }));
}

function shuffled<Item>(items: readonly Item[], random: Iterator<number>): Item[] {
  const order = items.map((item) => ({ item, place: random.next().value as number }));
  return order.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
