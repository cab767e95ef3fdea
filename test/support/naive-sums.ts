/** What the sums of facts have to be, by plain loops, and what they are in the store. */
import type { Ceiling, Fact, FactQuery } from '../../src/store/facts.ts';
import { findGrouping, groupingNames, type KeyColumn } from '../../src/store/tables/sums.ts';

export type SummedFact = Pick<
  Fact,
  'slotStart' | 'packageId' | 'videoId' | 'os' | 'osVersion' | 'plays' | 'playMs'
>;

const dayMs = 86_400_000;

/** A line for each sum that is not zero, in order. */
export function naiveSums(facts: readonly SummedFact[], byDay: boolean): string[] {
  const found = new Map<string, { plays: number; playMs: number }>();
  for (const name of groupingNames) {
    const { groupBy } = findGrouping(name);
    for (const fact of facts) {
      const start = byDay ? Math.floor(fact.slotStart / dayMs) * dayMs : fact.slotStart;
      const shown = (column: KeyColumn, empty: string | number) =>
        groupBy.includes(column) ? fact[column] : empty;
      const key = [
        byDay ? `${name}-day` : name,
        shown('packageId', 0),
        shown('videoId', 0),
        shown('os', ''),
        shown('osVersion', ''),
        start / 1_000,
      ].join(' ');
      const { plays, playMs } = found.get(key) ?? { plays: 0, playMs: 0 };
      found.set(key, { plays: plays + fact.plays, playMs: playMs + fact.playMs });
    }
  }
  const sums = [...found].filter(([, { plays, playMs }]) => plays > 0 || playMs > 0);
  return sums.map(([key, { plays, playMs }]) => `${key} ${plays} ${playMs}`).sort();
}

/**
 * What each view has in each slot: of every stretch the largest values that count, below its
 * ceiling, and in all no more time than the slot has.
 */
export function countedViews(
  facts: readonly Fact[],
  accepted: ReadonlySet<string> = new Set(),
): Fact[] {
  const largest = new Map<string, Fact>();
  const ceilings = new Map<string, Ceiling>();
  for (const { ceiling, ...fact } of facts) {
    const { key } = identityOf({ ...fact, suspect: '' });
    if (ceiling && ceiling.known > (ceilings.get(key)?.known ?? 0)) ceilings.set(key, ceiling);
    if (fact.suspect !== '' && !accepted.has(fact.suspect)) continue;
    addTo(largest, { ...fact, suspect: '' }, Math.max);
  }
  const views = new Map<string, Fact>();
  for (const [key, fact] of largest) {
    const playMs = Math.min(fact.playMs, ceilings.get(key)?.ms ?? fact.playMs);
    addTo(views, { ...fact, playMs, stretch: 0 }, sumOfTwo);
  }
  const systems = systemsOf(facts.filter(({ suspect }) => suspect === '' || accepted.has(suspect)));
  for (const [key, fact] of views) views.set(key, { ...fact, ...systems.get(viewOf(fact)) });
  return [...views.values()].map((view) => ({ ...view, playMs: Math.min(view.playMs, 900_000) }));
}

type System = Pick<Fact, 'os' | 'osVersion' | 'systemRank'>;

/** The best that was told of each view's system. */
function systemsOf(facts: readonly Fact[]): Map<string, System> {
  const best = new Map<string, System>();
  for (const fact of facts) {
    const { os, osVersion: told, systemRank } = fact;
    const own: System =
      os === 'Unknown' || os === ''
        ? { os: 'Unknown', osVersion: 'Unknown' }
        : { os, osVersion: told === '' ? 'Unknown' : told, systemRank };
    const other = best.get(viewOf(fact));
    if (!other || isBetter(own, other)) best.set(viewOf(fact), own);
  }
  return best;
}

function isBetter(one: System, other: System): boolean {
  const [own, others] = [one, other].map(({ os, osVersion, systemRank = 1 }) => [
    ...[os === 'Unknown' ? 0 : 1, systemRank, os, osVersion === 'Unknown' ? 0 : 1],
    ...[osVersion === 'Other' ? 0 : 1, ...osVersion.split('.').map(Number)],
  ]) as [(string | number)[], (string | number)[]];
  for (const [index, value] of own.entries()) {
    const against = others[index] ?? -1;
    if (value !== against) return value > against;
  }
  return false;
}

const viewOf = ({ accountId, packageId, videoId, view }: Fact) =>
  [accountId, packageId, videoId, view].join(' ');

const sumOfTwo = (one: number, other: number) => one + other;

function identityOf({ accountId, slotStart, packageId, videoId, view, stretch, ...fact }: Fact) {
  const { suspect, plays, playMs } = fact;
  const identity = [accountId, slotStart, packageId, videoId, view, stretch, suspect];
  return { plays, playMs, key: identity.join(' ') };
}

/** Combines the values of the facts of one identity. */
function addTo(found: Map<string, Fact>, fact: Fact, combine: typeof sumOfTwo): void {
  const { plays, playMs, key } = identityOf(fact);
  const before = found.get(key) ?? { plays: 0, playMs: 0 };
  found.set(key, {
    ...fact,
    plays: combine(before.plays, plays),
    playMs: combine(before.playMs, playMs),
  });
}

export interface StoredSums {
  readonly bySlot: readonly string[];
  readonly byDay: readonly string[];
}

/** In the form of `naiveSums`. */
export async function storedSums(
  select: (query: FactQuery) => Promise<Record<string, string | number>[]>,
  accountId: number,
): Promise<StoredSums> {
  const rows = await select({
    name: 'test',
    sql: `SELECT toString(grouping) AS of, packageId, videoId, os, osVersion,
        toUnixTimestamp(slot) AS slot, toUInt64(sum.plays) AS plays, toUInt64(sum.playMs) AS playMs
      FROM playback_sum AS sum FINAL
      WHERE accountId = {accountId:UInt32} AND (plays > 0 OR playMs > 0)`,
    parameters: { accountId },
  });
  const lines = rows.map((row) => Object.values(row).join(' ')).sort();
  const { true: byDay = [], false: bySlot = [] } = Object.groupBy(lines, (line) =>
    line.includes('-day ') ? 'true' : 'false',
  );
  return { bySlot, byDay };
}
