import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SlotRange } from '../facts.ts';
import { acceptedOf } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';

/** Those with facts in the range; few of all that were ever accepted. */
export async function readAcceptedSuspects(
  store: FactStore,
  verdicts: CurrentVerdicts,
  { accountId, fromMs, untilMs }: SlotRange,
): Promise<readonly string[]> {
  if (!verdicts.accepted.some((name) => name.accountId === accountId)) return [];
  const found = await store.select<SuspectName>({
    name: 'find suspects of a range',
    sql: `SELECT DISTINCT accountId, suspect FROM ${tables.stretch.name}
      WHERE accountId = {accountId:UInt32} AND suspect != ''
        AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')
      ORDER BY suspect`,
    parameters: { accountId, from: fromMs / 1_000, until: untilMs / 1_000 },
  });
  return acceptedOf(verdicts, found).map(({ suspect }) => suspect);
}
