/**
 * Writes facts and then notes of the slots they touch, which the roll-up must sum again. A
 * materialized view could write the notes, but doubles the cost of an insert.
 */
import { randomInt } from 'node:crypto';
import type { FactStore } from '../client/store-client.ts';
import type { ErasedFilter } from '../erasure/erased-filter.ts';
import type { FactBatch } from '../journal/fact-batch.ts';
import { tables } from '../tables/schema.ts';

type Write = (batch: FactBatch) => Promise<void>;

/** Batch numbers stay exact in JSON, and two within a few seconds hardly ever collide. */
const numbers = 2 ** 47;

export function createFactWriter(
  store: Pick<FactStore, 'insertText'>,
  sieve: ErasedFilter['sieve'],
): Write {
  return async (given) => {
    const { columns, rows, slots, count } = await sieve(given);
    if (count === 0) return;
    await store.insertText(tables.stretch.name, rows, columns);
    // Invariant: only now. The roll-up sums a slot once for each note, when it first sees it.
    const batch = randomInt(1, numbers);
    const notes = [...slots].map((slot) => `${slot}\t${batch}\n`).join('');
    await store.insertText(tables.touched.name, Buffer.from(notes), touchedColumns);
  };
}

/** The arrival is stamped by the store. */
const touchedColumns = ['accountId', 'slot', 'batch'] as const;
