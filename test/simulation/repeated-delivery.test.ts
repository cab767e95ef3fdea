/**
 * Beacons once and in order; the same beacons duplicated, shuffled, in other batches and half of
 * them late: the answers are the same, and those of the naive oracle.
 */
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { testKinds } from '../support/each-kind.ts';
import type { TestService } from '../support/service.ts';
import { oneServer, serviceKinds } from '../support/service-kinds.ts';
import { allPages } from './ask.ts';
import { questionCount } from './question-count.ts';
import { type AnyQuestion, everything, expectedRows } from './questions.ts';
import { inBatches, type PlannedStretch, plannedStretches, zones } from './viewers.ts';
import { createWorld, publicationsPerAccount, sendAll, type World } from './world.ts';

const byDate: AnyQuestion = {
  ...everything,
  kind: 'date',
  account: 0,
  firstDay: '2025-12-01',
  lastDay: '2026-11-30',
};

testKinds(
  serviceKinds,
  'answers depend on what was played, not on how it was delivered, on $name',
  async (kind) => {
    const { service: site, stop } = await kind.start();
    onTestFinished(stop);
    const numRuns = kind === oneServer ? Math.ceil(questionCount() / 20) : 2;
    await fc.assert(
      fc.asyncProperty(
        plannedStretches(publicationsPerAccount, 40),
        fc.constantFrom(...zones),
        fc.integer({ min: 8, max: 80 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        async (stretches, zone, batchSize, random) => {
          const once = await createWorld(site, [zone]);
          await once.play(stretches);
          const again = await createWorld(site, [zone]);
          await playTwiceInDisorder(site, again, stretches, batchSize, random);
          await site.facts.rollUp();
          const rows = await allPages(byDate, once);
          expect(await allPages(byDate, again)).toEqual(rows);
          expect(rows).toEqual(expectedRows(byDate, once));
        },
      ),
      { numRuns, endOnFailure: true },
    );
  },
);

/** With a pause half-way in which all is rolled up. */
async function playTwiceInDisorder(
  { facts }: TestService,
  world: World,
  stretches: readonly PlannedStretch[],
  batchSize: number,
  random: Iterator<number>,
): Promise<void> {
  const beacons = stretches.flatMap(world.reportsOf).map(({ beacon }) => beacon);
  const twice = shuffled([...beacons, ...beacons], random);
  const half = Math.ceil(twice.length / 2);
  const key = world.accounts[0]?.key ?? '';
  for (const batch of inBatches(twice.slice(0, half), batchSize)) {
    await sendAll(world.url, key, batch);
  }
  await facts.rollUp();
  for (const batch of inBatches(twice.slice(half), batchSize + 7)) {
    await sendAll(world.url, key, batch);
  }
}

function shuffled<Item>(items: readonly Item[], random: Iterator<number>): Item[] {
  const order = items.map((item) => ({ item, place: random.next().value as number }));
  return order.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
