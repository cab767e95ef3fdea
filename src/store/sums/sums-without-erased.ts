/** Makes the sums and peaks of the days that an erasure concerns again, without what it erases. */
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../sql/account-days.ts';
import { isErased } from '../sql/erased-facts.ts';
import { tables } from '../tables/schema.ts';
import { repairPeaks } from './peak-check.ts';
import { mostDays } from './sum-rebuild.ts';
import { repairSums } from './sum-repair.ts';

const timeoutSeconds = 600;

/** The verdicts already name the erasure as begun. May be repeated. */
export async function sumWithout(
  store: FactStore,
  target: ErasureTarget,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const days = await daysOf(store, target);
  const keptSince = verdicts.erasures?.keptSince.get(target.accountId) ?? 0;
  const kept = days.filter(({ day }) => day >= keptSince);
  for (let first = 0; first < kept.length; first += mostDays) {
    const some = kept.slice(first, first + mostDays);
    await repairSums(store, some, verdicts);
    await repairPeaks(store, some, verdicts);
  }
}

async function daysOf(store: FactStore, target: ErasureTarget): Promise<AccountDay[]> {
  const { sql, parameters } = isErased(target);
  const rows = await store.select<{ day: number }>(
    {
      name: 'find days of erased facts',
      sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
      FROM ${tables.stretch.name} WHERE ${sql} ORDER BY day`,
      parameters,
    },
    { timeoutSeconds },
  );
  return rows.map(({ day }) => ({ accountId: target.accountId, day }));
}
