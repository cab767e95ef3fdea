/** Makes what bounds the values that strangers fill dimensions with. */
import { createValueBook, type ValueBook } from './collect/value-book.ts';
import type { Config } from './config.ts';
import type { Facts } from './facts/open-facts.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function valueBookOf(
  facts: Pick<Facts, 'values' | 'completeThrough'>,
  { config, clock, logger }: Configured,
): ValueBook {
  return createValueBook({
    store: { ...facts.values, completeThrough: facts.completeThrough },
    clock,
    logger,
    versionsPerDay: config.VERSIONS_PER_DAY,
    valuesPerDay: config.VALUES_PER_DAY,
    valuesByAddress: config.NEW_VALUES_BY_ADDRESS,
  });
}
