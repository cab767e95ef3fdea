/**
 * Finds the slots in which some view's stretches claim more time than the slot has: those where the
 * facts give more than the account's sum. There are few, if any, and only in these are views
 * examined one by one, which costs ten times as much. A sum that lags behind only adds its slot,
 * and so does a fact that is counted twice because the parts of the table that have it were not
 * merged.
 */
import { type FactQuery, type FactReader, tables, unpackSum } from '../../store/facts.ts';
import {
  areMany,
  columnsNamed,
  type FactsSource,
  factsWithin,
  parametersOfFacts,
} from './counted-facts.ts';
import { slotsWithin } from './slot-ranges.ts';

export function findOverclaimed(source: FactsSource): FactQuery {
  const sql = `SELECT toUnixTimestamp(slot) AS seconds
FROM (
SELECT slot, sum(playMs) AS claimedMs, 0 AS summedMs FROM (
${factsWithin({ ...source, columns: columnsNamed() }, { mayRepeat: true })}
) GROUP BY slot
UNION ALL
SELECT slot, 0, ${unpackSum('max(playMs)')} FROM ${tables.playbackSum.name}
WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND videoId = 0 AND packageId = 0
  AND ${slotsWithin(source.spans).sql}
GROUP BY slot
)
GROUP BY slot
HAVING sum(claimedMs) > sum(summedMs)`;
  const parameters = parametersOfFacts(source);
  const isCostly = areMany(source, true);
  return { name: 'find overclaimed slots', sql, parameters, groupsBySlot: true, isCostly };
}

/** The starts of these slots (ms). */
export async function readOverclaimedSlots(
  facts: Pick<FactReader, 'readMany'>,
  source: FactsSource,
): Promise<number[]> {
  const found = await facts.readMany<{ seconds: number }>(findOverclaimed(source));
  return found.map(({ seconds }) => seconds * 1_000);
}
