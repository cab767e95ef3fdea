/**
 * Finds the slots in which some view's stretches claim more time than the slot has: where the facts
 * say more than the account's sum. There are few, if any, and only in them are views taken apart,
 * which costs ten times as much. A sum that lags behind only adds its slot.
 */
import { type FactQuery, sumOf, tables } from '../../facts/facts.ts';
import { acceptedSuspects, factsWithin } from './counted-facts.ts';
import type { FactsPlan } from './query-plan.ts';
import { slotsWithin } from './slots-within.ts';

export function findCrowded(plan: Pick<FactsPlan, 'accountId' | 'spans' | 'accepted'>): FactQuery {
  const { accountId, spans, accepted } = plan;
  const within = slotsWithin(spans);
  const sql = `SELECT toUnixTimestamp(slot) AS seconds
FROM (
SELECT slot, sum(playMs) AS claimedMs, 0 AS summedMs FROM (
${factsWithin(plan)}
) GROUP BY slot
UNION ALL
SELECT slot, 0, ${sumOf('max(playMs)')} FROM ${tables.playbackSum.name}
WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND videoId = 0 AND packageId = 0
  AND ${within.sql}
GROUP BY slot
)
GROUP BY slot
HAVING sum(claimedMs) > sum(summedMs)`;
  return {
    name: 'find crowded slots',
    sql,
    parameters: {
      accountId,
      ...within.parameters,
      ...(accepted.length > 0 ? acceptedSuspects(accepted).parameters : {}),
    },
  };
}
