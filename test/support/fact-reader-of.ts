/** Reads of a store that no roll-up has summed, with the verdicts that a test wants. */
import { createFactReader } from '../../src/facts/fact-reader.ts';
import type { FactStore } from '../../src/facts/fact-store.ts';
import type { FactReader } from '../../src/facts/facts.ts';
import { noVerdicts } from '../../src/facts/verdicts.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { CurrentVerdicts } from '../../src/wire/suspects.ts';

export function factReaderOf(
  store: FactStore,
  verdicts: () => CurrentVerdicts = () => noVerdicts,
): FactReader {
  return createFactReader({
    ...{ store, clock: systemClock, fewFacts: undefined, rollUp: () => undefined },
    verdicts: { current: async () => verdicts(), raiseEpochs: async () => {} },
    requireSummed: () => {},
    opened: { readsAsOfOneMoment: () => true },
  });
}
