/**
 * Lets each token count one play, whatever comes under it: other views, other devices, other
 * instants, at other nodes. The first play owns the token, and all agree which one that is.
 */
import type { Fact } from '../../store/facts.ts';
import type { AgreeOnInstant } from '../steps/instant-agreement.ts';
import { tokenOwners } from './token-owners.ts';

/**
 * The facts without the plays that do not own the token of their view, to be written as they come
 * out. Rejects with UNAVAILABLE.
 */
export type SettlePlays = (facts: readonly Fact[], signed: ReadonlySet<string>) => Promise<Fact[]>;

export function onePlayAToken(agree: AgreeOnInstant): SettlePlays {
  const ownsToken = tokenOwners(agree, {
    name: 'token',
    // All that tells the fact of a play from others of its view.
    of: ({ slotStart, os, osVersion, stretch }) => [slotStart, os, osVersion, stretch],
  });
  return async (facts, signed) => {
    const plays = facts.filter((fact) => fact.plays > 0 && signed.has(fact.view));
    const isOwner = await Promise.all(plays.map(ownsToken));
    const others = new Set(plays.filter((_, index) => !isOwner[index]));
    return facts
      .map((fact) => (others.has(fact) ? { ...fact, plays: 0 } : fact))
      .filter(({ plays, playMs, ceiling }) => plays + playMs > 0 || ceiling !== undefined);
  };
}
