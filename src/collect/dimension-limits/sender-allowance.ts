/**
 * How many new values one sender may bring into a room of an account's day once half of it is used:
 * a part of what is left, so that what some strangers make up leaves room for everybody else's.
 * Only senders who bring something new are remembered, in bounded memory; after a start the
 * allowance begins anew.
 */
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Fact } from '../../store/facts.ts';
import type { Sender } from '../draft.ts';
import { findDay } from './known-day-values.ts';

/** Pairs of a sender and a room. The rooms themselves bound how many come to an account's day. */
const mostRemembered = 100_000;
/** An IPv6 /48 network counts as so many; 16, as elsewhere, would take all versions of a day. */
const addressesOfSite = 4;
/** Of the places that are left one address takes at most one in so many, and at least one. */
const partOfLeft = 16;
const warnEveryMs = 3_600_000;

/** What a request shows of who brings values; a key is trusted. */
export type ValueSender = Pick<Sender, 'accountId' | 'network' | 'site'>;

export interface SenderAllowance {
  /** Uses up one of the places left in a room; false if the sender may take no more of them. */
  take(sender: ValueSender, place: FreePlace): boolean;
}

interface FreePlace {
  /** Of its account and day. */
  readonly fact: Fact;
  readonly room: number;
  /** How many the room has left. */
  readonly left: number;
}

interface AllowanceOptions {
  /** At most, of one address, in one room on one day; 0: any number. */
  readonly valuesByAddress: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createSenderAllowance(options: AllowanceOptions): SenderAllowance {
  const { valuesByAddress, clock, logger } = options;
  const used = createLruCache<string, number>(mostRemembered);
  const seldom = createThrottle(clock, warnEveryMs);
  const warn = () =>
    seldom(() =>
      logger.warn(
        'one IP address reports more new pages or other values than NEW_VALUES_BY_ADDRESS, ' +
          'which count as Other: if it is a proxy, set TRUST_PROXY',
      ),
    );
  return {
    take({ accountId, network, site }, { fact, room, left }) {
      if (valuesByAddress === 0 || accountId !== undefined) return true;
      const ofAddress = Math.min(valuesByAddress, Math.ceil(left / partOfLeft));
      const of = `${fact.accountId} ${findDay(fact)} ${room}`;
      const bounds: [subject: string | undefined, most: number][] = [
        [network, ofAddress],
        [site, ofAddress * addressesOfSite],
      ];
      const asked = bounds.flatMap(([subject, most]) => {
        if (subject === undefined) return [];
        const name = `${of} ${subject}`;
        return [{ name, most, before: used.get(name) ?? 0 }];
      });
      if (asked.some(({ most, before }) => before >= most)) {
        warn();
        return false;
      }
      for (const { name, before } of asked) used.set(name, before + 1);
      return true;
    },
  };
}
