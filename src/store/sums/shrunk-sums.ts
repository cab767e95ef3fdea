/** Finds days on which some stored sum is larger than its facts now give. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import { type AccountSlot, isOfSlots, parametersOfSlots } from '../sql/account-slots.ts';
import { tables } from '../tables/schema.ts';
import { keyColumns, type SumName, smallestGrouping, sumNames, sumOf } from '../tables/sums.ts';
import { chooseCounting, forEachCounting, selectSlotSums, slotSumSettings } from './sum-insert.ts';

/** All other sums are made of these, so none of them shrinks alone. */
const finest = smallestGrouping(keyColumns);
const keys = ['accountId', 'slot', ...keyColumns].join(', ');
const valuesOf = (made: (name: SumName) => string, stored: (name: SumName) => string) =>
  sumNames
    .map((name) => `${made(name)} AS made_${name}, ${stored(name)} AS stored_${name}`)
    .join(', ');

const findSql = forEachCounting(
  (counting, kept) => `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
    FROM (
      SELECT ${keys}
      FROM (
        SELECT ${keys}, ${valuesOf(sumOf, () => 'toUInt64(0)')}
        FROM (
        ${selectSlotSums(isOfSlots + kept.ofFacts, counting)}
        )
        WHERE slotGrouping = '${finest}'
        UNION ALL
        SELECT ${keys}, ${valuesOf(
          () => 'toUInt64(0)',
          (name) => sumOf(`max(${name})`),
        )}
        FROM ${tables.playbackSum.name}
        WHERE grouping = '${finest}' AND ${isOfSlots}${kept.ofSums}
        GROUP BY ${keys}
      )
      GROUP BY ${keys}
      HAVING ${sumNames.map((name) => `max(stored_${name}) > max(made_${name})`).join(' OR ')}
    )
    ORDER BY accountId, day`,
);

export async function findShrunk(
  store: FactStore,
  slots: readonly AccountSlot[],
  verdicts: CurrentVerdicts,
): Promise<AccountDay[]> {
  const which = { condition: isOfSlots, parameters: parametersOfSlots(slots) };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const query = { name: 'find sums that shrank', sql: textOf(findSql), parameters };
  return store.select(query, { settings: slotSumSettings });
}
