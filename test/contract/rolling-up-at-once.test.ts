/**
 * Three nodes with clocks hours apart take reports of the same stretches and sum at once, time and
 * again: the sums are those of a plain loop.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type Fact, tables } from '../../src/store/facts.ts';
import type { Facts } from '../../src/store/open-facts.ts';
import { unpackSum } from '../../src/store/tables/sums.ts';
import { seededRandom } from '../simulation/random.ts';
import { describeKinds } from '../support/each-kind.ts';
import { summingStores } from '../support/fact-stores.ts';
import { readSeed } from '../support/seed.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);
const clocksApartHours = [0, -5, 7];
const rounds = 4;
const perRound = 60;
const seed = readSeed(process.env.SEED);

describeKinds(summingStores(), 'on $name', (kind) => {
  let nodes: Facts[];
  beforeAll(async () => {
    const location = await kind.newLocation();
    nodes = [];
    for (const hours of clocksApartHours) {
      const clock = { ...systemClock, now: () => systemClock.now() + hours * 3_600_000 };
      nodes.push(await kind.open(location, `node-${hours}`, { clock }));
    }
  });
  afterAll(() => kind.stop());

  test('sums of nodes that sum at once', async () => {
    const { below, pick } = seededRandom(seed);
    const accountId = 1;
    const stretches = Array.from({ length: 80 }, (_, index): Fact => {
      const about = { accountId, packageId: 1 + below(2), videoId: 11 + below(3), suspect: '' };
      const slotStart = day + below(2) * dayMs + below(4) * slotMs;
      const of = { view: randomUUID(), stretch: index % 3, plays: index % 3 === 0 ? 1 : 0 };
      return { ...about, ...of, slotStart, os: 'iOS', osVersion: '18', playMs: 0 };
    });
    /** The longest report of each. */
    const longest = new Map<Fact, number>();
    const report = (): Fact => {
      const one = pick(stretches);
      const playMs = below(60_000);
      longest.set(one, Math.max(playMs, longest.get(one) ?? 0));
      return { ...one, playMs };
    };
    for (let round = 0; round < rounds; round += 1) {
      const portions = nodes.map(() => Array.from({ length: perRound / nodes.length }, report));
      await Promise.all([
        ...nodes.map((node, index) => node.stretches.write(portions[index] ?? [])),
        ...nodes.map((node) => node.rollUp()),
      ]);
    }
    await Promise.all(nodes.map((node) => node.rollUp()));

    const bySlot = new Map<number, { plays: number; playMs: number }>();
    for (const [{ slotStart, plays }, playMs] of longest) {
      const { plays: earlier, playMs: before } = bySlot.get(slotStart) ?? { plays: 0, playMs: 0 };
      bySlot.set(slotStart, { plays: earlier + plays, playMs: before + playMs });
    }
    const expected = [...bySlot]
      .sort(([one], [other]) => one - other)
      .map(([slotStart, sums]) => ({ at: slotStart / 1_000, ...sums }));
    for (const node of nodes) {
      const rows = await node.read({
        name: 'sums of a test',
        sql: `SELECT toUnixTimestamp(slot) AS at, ${unpackSum('max(plays)')} AS plays,
            ${unpackSum('max(playMs)')} AS playMs
          FROM ${tables.playbackSum.name}
          WHERE accountId = {accountId:UInt32} AND grouping = 'account' GROUP BY slot ORDER BY at`,
        parameters: { accountId },
      });
      expect({ seed, rows }).toEqual({ seed, rows: expected });
    }
    // Of all groupings, and of whole days.
    const days = [day, day + dayMs].map((one) => ({ accountId, day: one }));
    expect(await nodes[0]?.upkeep.checkSums(days)).toEqual([]);
  });
});
