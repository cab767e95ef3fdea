/** Sums every slot of the notes again, in all groupings by slot. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import { tables } from '../tables/schema.ts';
import { columnsOf } from '../tables/table.ts';
import { forEachCounting, selectSlotSums, slotSumSettingsSql, sumSlots } from './sum-insert.ts';
import { isOfNotes, type Notes, parametersOf } from './touched-slots.ts';

const { touched, playbackSum } = tables;

const condition = `(accountId, slot) IN (
            SELECT accountId, slot FROM ${touched.name}
            WHERE ${isOfNotes})`;

/** With one thread, since it runs again and again beside the beacons that touch the slots. */
export const sumTouchedSql = forEachCounting(
  (counting, kept) => `INSERT INTO ${playbackSum.name}
      (${columnsOf(playbackSum).join(', ')})
    ${selectSlotSums(condition + kept.ofFacts, counting)}
    SETTINGS ${slotSumSettingsSql}, max_threads = 1`,
);

export async function sumTouched(
  store: FactStore,
  notes: Notes,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const parameters = parametersOf(notes);
  await sumSlots(store, { name: 'sum slots', condition, sql: sumTouchedSql, parameters }, verdicts);
}
