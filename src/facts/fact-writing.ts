/**
 * Writes facts, and beside them which slots they touch: what the roll-up has to sum again. Both are
 * awaited, in parallel. A materialized view could note the same, at twice the cost of an insert.
 */
import type { FactStore, Row } from './fact-store.ts';
import type { StretchFact } from './facts.ts';

type Write = (facts: readonly StretchFact[]) => Promise<void>;

/** A slot that was noted is not noted again for `touchAgainMs`; the roll-up looks back over it. */
export function createFactWriting(store: FactStore, touchAgainMs: number): Write {
  let noted = new Set<string>();
  let since = Number.NEGATIVE_INFINITY;
  return async (facts) => {
    const now = performance.now();
    if (now - since >= touchAgainMs) {
      noted = new Set();
      since = now;
    }
    const known = noted;
    const slots = new Map<string, Row>();
    for (const { accountId, slotStart } of facts) {
      const slot = `${accountId} ${slotStart}`;
      if (!known.has(slot)) slots.set(slot, [accountId, slotStart / 1_000]);
    }
    await Promise.all([
      store.insertRows('stretch', facts.map(rowOf)),
      ...(slots.size > 0 ? [store.insertRows('touched', [...slots.values()], touchedColumns)] : []),
    ]);
    // Only now: what failed is written again, and then both again.
    for (const slot of slots.keys()) known.add(slot);
  };
}

/** The arrival is stamped by the engine. */
const touchedColumns = ['accountId', 'slot'] as const;

/** In the order of the columns of `stretch`. */
function rowOf(fact: StretchFact): Row {
  return [
    fact.accountId,
    fact.slotStart / 1_000,
    fact.packageId,
    fact.videoId,
    fact.os,
    fact.osVersion,
    fact.view,
    fact.stretch,
    fact.plays,
    fact.playMs,
  ];
}
