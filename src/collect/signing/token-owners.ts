/**
 * Who owns a token in one respect: the first fact that came under it, and all that are the same in
 * this respect. All nodes agree which one that is.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Fact } from '../../store/facts.ts';
import type { AgreeOnInstant } from '../steps/instant-agreement.ts';

const rememberedLimitViews = 50_000;

interface Respect {
  /** Never changes: agreements are kept under it. */
  readonly name: string;
  /** What owners have in common. */
  readonly of: (fact: Fact) => readonly unknown[];
}

/** Whether the fact owns the token of its view; rejects with UNAVAILABLE. */
export type OwnsToken = (fact: Fact) => Promise<boolean>;

export function tokenOwners(agree: AgreeOnInstant, { name, of }: Respect): OwnsToken {
  /** The owner of each signed view; only to ask less often. */
  const owners = new LRUCache<string, number>({ max: rememberedLimitViews });
  const asking = new Map<string, Promise<number>>();

  const ownerFor = async ({ accountId, view }: Fact, own: number): Promise<number> => {
    const key = `${accountId} ${view}`;
    const owner = owners.get(key);
    if (owner !== undefined) return owner;
    // Of those that come at once only one asks: many different ones would hold each other up.
    const asked =
      asking.get(key) ?? agree({ accountId, view }, name, own).finally(() => asking.delete(key));
    asking.set(key, asked);
    owners.set(key, await asked);
    return asked;
  };

  return async (fact) => {
    const own = numberOf(of(fact));
    return (await ownerFor(fact, own)) === own;
  };
}

/** 52 bits of it: so much fits into an instant. */
function numberOf(shared: readonly unknown[]): number {
  return Number.parseInt(hash('sha256', JSON.stringify(shared), 'hex').slice(0, 13), 16);
}
