/** The days of accounts with their salts, as far as this process knows them. */

import type { SaltDay, Salts } from '../../../catalog/catalog.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import { saltUseMs } from '../../../vocabulary/viewers.ts';

const rememberedLimitAccounts = 50_000;
/** No zone's day is longer. */
const longestDayMs = 26 * 3_600_000;

/** When something was played, in which account. */
export interface Moment {
  readonly accountId: number;
  readonly atMs: number;
}

export interface KnownDays {
  /** Undefined: not known. A day whose salt's time is over has none. */
  of(moment: Moment): SaltDay | undefined;
  /** Asks the catalog; rejects with UNAVAILABLE. */
  learn(moment: Moment): Promise<void>;
  /** Forgets the salts whose time is over; whether there were any. */
  forgetOld(): boolean;
}

const longOver: SaltDay = { fromMs: 0, untilMs: 0, salt: undefined };

export function createKnownDays(salts: Pick<Salts, 'dayOf'>, clock: Clock): KnownDays {
  const byAccount = createLruCache<number, SaltDay[]>(rememberedLimitAccounts);
  /** The one found last, in which the next beacons mostly are too. */
  let last: { readonly accountId: number; readonly day: SaltDay } | undefined;
  /** By account: those who wait for one read mostly want the same day. */
  const reads = new Map<number, Promise<void>>();

  const read = async ({ accountId, atMs }: Moment): Promise<void> => {
    const day = await salts.dayOf(accountId, atMs);
    const known = byAccount.get(accountId) ?? [];
    byAccount.set(accountId, [...known.filter(({ fromMs }) => fromMs !== day.fromMs), day]);
  };

  const find = ({ accountId, atMs }: Moment): SaltDay | undefined => {
    if (last?.accountId === accountId && isWithin(last.day, atMs)) return last.day;
    const day = byAccount.get(accountId)?.find((one) => isWithin(one, atMs));
    if (day) last = { accountId, day };
    return day;
  };

  const of: KnownDays['of'] = (moment) => {
    const nowMs = clock.now();
    // An import's: whatever its day is, it is over.
    if (moment.atMs + longestDayMs + saltUseMs < nowMs) return longOver;
    const day = find(moment);
    return day && nowMs >= day.untilMs + saltUseMs ? { ...day, salt: undefined } : day;
  };

  return {
    of,

    async learn(moment) {
      const { accountId } = moment;
      while (reads.has(accountId)) await reads.get(accountId);
      if (of(moment)) return;
      const reading = read(moment).finally(() => reads.delete(accountId));
      reads.set(accountId, reading);
      await reading;
    },

    forgetOld() {
      const nowMs = clock.now();
      last = undefined;
      let isAny = false;
      for (const [accountId, days] of byAccount) {
        const current = days.filter(({ untilMs }) => nowMs < untilMs + saltUseMs);
        if (current.length === days.length) continue;
        isAny = true;
        if (current.length > 0) byAccount.set(accountId, current);
        else byAccount.delete(accountId);
      }
      return isAny;
    },
  };
}

function isWithin({ fromMs, untilMs }: SaltDay, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs;
}
