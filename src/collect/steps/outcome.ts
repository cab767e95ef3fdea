import { assert } from '../../lib/assert.ts';
import type { Fact } from '../../store/facts.ts';
import { readSuspectId, type SuspectReason } from '../../vocabulary/suspects.ts';

/** The outcome of an accepted beacon: counted, or all or some of it set apart, or left out. */
export type KeptCode = 'COUNTED' | 'ERASED' | `SUSPECT_${SuspectReason}`;

export function outcomeOfFacts(facts: readonly Pick<Fact, 'suspect'>[]): KeptCode {
  const apart = facts.find(({ suspect }) => suspect !== '');
  if (!apart) return 'COUNTED';
  const suspect = readSuspectId(apart.suspect);
  assert(suspect, 'a fact that is set apart names its suspect');
  return `SUSPECT_${suspect.reason}`;
}
