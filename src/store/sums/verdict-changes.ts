/**
 * Brings the sums in line with verdicts before any slot is summed by them, all at once, so that no
 * question sees half of a change. A fact of a suspect is either stored by then and summed again, or
 * its note is not seen yet and its slot is summed later, by the new verdict.
 */

import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { VerdictSource } from '../facts.ts';
import { judgedAnew } from '../sql/verdicts.ts';
import { sumAgain } from './sum-rebuild.ts';
import { sumWithout } from './sums-without-erased.ts';

/** Resolves to the verdicts that the sums follow now: those on these suspects, and all new ones. */
export type FollowVerdicts = (suspects: readonly SuspectName[]) => Promise<CurrentVerdicts>;

export function createFollowVerdicts(
  store: FactStore,
  source: Pick<VerdictSource, 'current'>,
): FollowVerdicts {
  let followed: CurrentVerdicts | undefined;
  /** While they cannot be read, the last ones hold: what is summed by them gives way later. */
  const read = async (isAsked: boolean): Promise<CurrentVerdicts> => {
    try {
      return await source.current();
    } catch (error) {
      if (isAsked || followed === undefined || !isOutage(error)) throw error;
      return followed;
    }
  };
  return async (suspects) => {
    const verdicts = await read(suspects.length > 0);
    const concerned = [...suspects, ...judgedAnew(followed ?? verdicts, verdicts)];
    if (concerned.length > 0) await sumAgain(store, concerned, verdicts);
    for (const target of begunSince(followed ?? verdicts, verdicts)) {
      await sumWithout(store, target, verdicts);
    }
    followed = verdicts;
    return verdicts;
  };
}

/** Erasures by which sums shrink, and did not before. */
function begunSince(before: CurrentVerdicts, after: CurrentVerdicts): readonly ErasureTarget[] {
  if (!after.erasures) return [];
  const known = new Set(before.erasures?.open.map(({ receipt }) => receipt));
  return after.erasures.open.filter(({ receipt }) => !known.has(receipt));
}

/** The catalog is away for now. */
export function isOutage(error: unknown): boolean {
  return error instanceof Fault && error.code === 'UNAVAILABLE';
}
