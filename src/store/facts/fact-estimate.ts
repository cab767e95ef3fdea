import type { FactStore } from '../client/store-client.ts';
import type { SlotRange } from '../facts.ts';
import { tables } from '../tables/schema.ts';

/**
 * About how many facts a range has, suspects included: the number that the store would read, which
 * it knows without reading any. It reads by granules, so there may be up to 16,382 too many for
 * each part of the table.
 */
export async function estimateFacts(
  store: FactStore,
  { accountId, fromMs, untilMs }: SlotRange,
): Promise<number> {
  const estimates = await store.select<{ rows: string | number }>({
    name: 'estimate facts of a range',
    sql: `EXPLAIN ESTIMATE SELECT 1 FROM ${tables.stretch.name}
      WHERE accountId = {accountId:UInt32} AND slot >= toDateTime({from:UInt32}, 'UTC')
        AND slot < toDateTime({until:UInt32}, 'UTC')`,
    parameters: { accountId, from: fromMs / 1_000, until: untilMs / 1_000 },
  });
  return estimates.reduce((sum, { rows }) => sum + Number(rows), 0);
}
