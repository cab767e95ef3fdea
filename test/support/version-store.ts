import type { DayVersion, Fact, FactReader, VersionReader } from '../../src/facts/facts.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** The versions that facts in memory name, as a store would read them. */
export function versionsOfFacts(
  written: readonly (readonly Fact[])[],
): VersionReader & Pick<FactReader, 'completeThrough'> {
  return {
    completeThrough: () => 0,
    async versionsOf(days) {
      const found = new Map<string, DayVersion>();
      for (const { accountId, slotStart, os, osVersion } of written.flat()) {
        const day = Math.floor(slotStart / dayMs) * dayMs;
        if (!days.some((one) => one.accountId === accountId && one.day === day)) continue;
        found.set(`${accountId} ${day} ${os} ${osVersion}`, { accountId, day, os, osVersion });
      }
      return [...found.values()];
    },
  };
}
