/** Makes what bounds the values that strangers fill dimensions with. */
import { createValueBook, type ValueBook } from './collect/value-book.ts';
import type { Config } from './config.ts';
import type { Facts } from './facts/open-facts.ts';
import type { Clock } from './lib/clock.ts';

export function valueBookOf(
  facts: Pick<Facts, 'values' | 'completeThrough'>,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): ValueBook {
  return createValueBook({
    store: { ...facts.values, completeThrough: facts.completeThrough },
    clock,
    versionsPerDay: config.VERSIONS_PER_DAY,
    valuesPerDay: config.VALUES_PER_DAY,
  });
}
