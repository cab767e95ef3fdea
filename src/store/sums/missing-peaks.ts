/** Finds days whose peaks are not all kept: an earlier release stored them. */

import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../sql/account-days.ts';
import { selectKeptDays } from '../sql/days-with-peaks.ts';
import { tables } from '../tables/schema.ts';

const { playbackSum } = tables;

export async function readAccountsOfSums(store: FactStore): Promise<number[]> {
  const rows = await store.select<{ accountId: number }>({
    name: 'list accounts of sums',
    sql: `SELECT DISTINCT accountId FROM ${playbackSum.name} ORDER BY accountId`,
    parameters: {},
  });
  return rows.map(({ accountId }) => accountId);
}

export async function readDaysWithoutPeaks(
  store: FactStore,
  accountId: number,
): Promise<AccountDay[]> {
  const rows = await store.select<{ day: number }>({
    name: 'find days without peaks',
    sql: `SELECT day FROM (\n${selectKeptDays('')}\n) WHERE NOT isKept`,
    parameters: { accountId },
  });
  return rows.map(({ day }) => ({ accountId, day: day * 1_000 }));
}
