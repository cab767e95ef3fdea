/** Reads of a store that no roll-up has summed, with the verdicts that a test wants. */

import { systemClock } from '../../src/lib/time/clock.ts';
import type { FactStore } from '../../src/store/client/store-client.ts';
import { createFactReader } from '../../src/store/facts/fact-reader.ts';
import type { FactReader } from '../../src/store/facts.ts';
import { noVerdicts } from '../../src/store/sql/verdicts.ts';
import type { CurrentVerdicts } from '../../src/vocabulary/suspects.ts';

export function factReaderOf(
  store: FactStore,
  verdicts: () => CurrentVerdicts = () => noVerdicts,
): FactReader {
  return createFactReader({
    ...{ store, clock: systemClock, fewFacts: undefined, rollUp: () => undefined },
    verdicts: { current: async () => verdicts() },
    requireSummed: () => {},
    opened: { readsAsOfOneMoment: () => true },
  });
}
