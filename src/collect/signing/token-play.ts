/**
 * Lets each token count one play, whatever comes under it: other views, other devices, other
 * instants, at other nodes. The first play owns the token, and all agree which one that is.
 */
import { hash } from 'node:crypto';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Fact } from '../../store/facts.ts';
import type { AgreeOnInstant } from '../steps/instant-agreement.ts';

const rememberedLimitViews = 50_000;

/**
 * The facts without the plays that do not own the token of their view, to be written as they come
 * out. Rejects with UNAVAILABLE.
 */
export type SettlePlays = (facts: readonly Fact[], signed: ReadonlySet<string>) => Promise<Fact[]>;

export function onePlayAToken(agree: AgreeOnInstant): SettlePlays {
  /** The owner of each signed view; only to ask less often. */
  const owners = createLruCache<string, number>(rememberedLimitViews);
  const asking = new Map<string, Promise<number>>();

  const ownerFor = async ({ accountId, view }: Fact, own: number): Promise<number> => {
    const key = `${accountId} ${view}`;
    const owner = owners.get(key);
    if (owner !== undefined) return owner;
    // Of those that come at once only one asks: many different ones would hold each other up.
    const asked =
      asking.get(key) ?? agree({ accountId, view }, 'token', own).finally(() => asking.delete(key));
    asking.set(key, asked);
    owners.set(key, await asked);
    return asked;
  };
  const ownsToken = async (fact: Fact): Promise<boolean> => {
    const own = numberOf(fact);
    return (await ownerFor(fact, own)) === own;
  };

  return async (facts, signed) => {
    const plays = facts.filter((fact) => fact.plays > 0 && signed.has(fact.view));
    const isOwner = await Promise.all(plays.map(ownsToken));
    const others = new Set(plays.filter((_, index) => !isOwner[index]));
    return facts.map((fact) => (others.has(fact) ? { ...fact, plays: 0 } : fact));
  };
}

/** All that tells the fact of a play from others of its view; 52 bits: so much fits an instant. */
function numberOf({ slotStart, stretch }: Fact): number {
  const text = JSON.stringify([slotStart, stretch]);
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}
