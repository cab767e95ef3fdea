/**
 * Lets each token count on one system: a view takes place on one device. What others report under
 * the same token is no part of its view, or a shared token would count its time on each of them.
 */
import type { Fact } from '../../store/facts.ts';
import type { AgreeOnInstant } from '../steps/instant-agreement.ts';
import { tokenOwners } from './token-owners.ts';

/**
 * The facts without those on another system than the first of their view. To be awaited before
 * versions are bounded, since a version may be bounded on one day and not on another.
 */
export type KeepSystem = (facts: readonly Fact[], signed: ReadonlySet<string>) => Promise<Fact[]>;

export function oneSystemAToken(agree: AgreeOnInstant): KeepSystem {
  const ownsToken = tokenOwners(agree, {
    name: 'token system',
    of: ({ os, osVersion }) => [os, osVersion],
  });
  return async (facts, signed) => {
    const isOwner = await Promise.all(
      facts.map((fact) => !signed.has(fact.view) || ownsToken(fact)),
    );
    return facts.filter((_, index) => isOwner[index]);
  };
}
