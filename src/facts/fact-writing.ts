/**
 * Writes facts, and beside them which slots they touch: what the roll-up has to sum again. Both are
 * awaited, in parallel. A materialized view could note the same, at twice the cost of an insert.
 */
import type { FactBatch } from './fact-batch.ts';
import type { FactStore } from './fact-store.ts';

type Write = (batch: FactBatch) => Promise<void>;

/** A slot that was noted is not noted again for `touchAgainMs`; the roll-up looks back over it. */
export function createFactWriting(store: FactStore, touchAgainMs: number): Write {
  let noted = new Set<string>();
  let since = Number.NEGATIVE_INFINITY;
  return async ({ rows, slots }) => {
    const now = performance.now();
    if (now - since >= touchAgainMs) {
      noted = new Set();
      since = now;
    }
    const known = noted;
    const unknown = [...slots].filter((slot) => !known.has(slot));
    const touched = Buffer.from(unknown.map((slot) => `${slot}\n`).join(''));
    await Promise.all([
      store.insertText('stretch', rows),
      ...(unknown.length > 0 ? [store.insertText('touched', touched, touchedColumns)] : []),
    ]);
    // Only now: what failed is written again, and then both again.
    for (const slot of unknown) known.add(slot);
  };
}

/** The arrival is stamped by the engine. */
const touchedColumns = ['accountId', 'slot'] as const;
