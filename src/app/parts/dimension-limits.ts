/** Makes what bounds the values that strangers fill dimensions with. */
import type { Registry } from 'prom-client';
import type { AccountLedger } from '../../collect/account-ledger.ts';
import {
  createDimensionLimits,
  type DimensionLimits,
} from '../../collect/dimension-limits/dimension-limits.ts';
import { createValueNotes } from '../../collect/dimension-limits/value-notes.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Facts } from '../../store/open-facts.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface NotedIn {
  readonly accountLedger: Pick<AccountLedger, 'note'>;
  readonly metrics: Registry;
}

export function createConfiguredDimensionLimits(
  facts: Pick<Facts, 'values' | 'completeThrough'>,
  { config, clock, logger }: Configured,
  notedIn: NotedIn,
): DimensionLimits {
  return createDimensionLimits({
    store: { ...facts.values, completeThrough: facts.completeThrough },
    clock,
    logger,
    versionsPerDay: config.VERSIONS_PER_DAY,
    valuesPerDay: config.VALUES_PER_DAY,
    valuesByAddress: config.NEW_VALUES_BY_ADDRESS,
    noteValues: createValueNotes({ ...notedIn, clock }),
  });
}
