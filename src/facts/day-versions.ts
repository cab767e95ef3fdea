/** Which versions of systems an account's day has: see docs/decisions/bounded-versions.md. */
import type { FactStore } from './fact-store.ts';
import type { AccountDay, DayVersion, VersionReader } from './facts.ts';
import { tables } from './schema.ts';

const daysPerRead = 100;

/** `requireReady` throws while the store is not ready. */
export function createVersionReader(store: FactStore, requireReady: () => void): VersionReader {
  return {
    async versionsOf(days) {
      const versions: DayVersion[] = [];
      for (let start = 0; start < days.length; start += daysPerRead) {
        requireReady();
        versions.push(...(await readVersions(store, days.slice(start, start + daysPerRead))));
      }
      return versions;
    },
  };
}

async function readVersions(store: FactStore, days: readonly AccountDay[]): Promise<DayVersion[]> {
  const rows = await store.select<DayVersion>({
    name: 'read versions of days',
    // Slot by slot, so that the index finds days that lie far apart.
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day, os, osVersion
      FROM ${tables.stretch.name}
      WHERE (accountId, slot) IN (
        SELECT part.1, toDateTime(part.2 + 900 * arrayJoin(range(96)), 'UTC') FROM (
          SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part))`,
    parameters: {
      accounts: days.map(({ accountId }) => accountId),
      days: days.map(({ day }) => day / 1_000),
    },
  });
  return rows.map((row) => ({ ...row, day: row.day * 1_000 }));
}
