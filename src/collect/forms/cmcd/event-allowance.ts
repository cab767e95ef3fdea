/**
 * How many new events of one view a sender may report. A view with more than mostEventsOfView is
 * not worked out any more: without a share for each sender, a stranger who knows its session could
 * end it. Bounded in memory; each process counts for itself, and anew after a start.
 */
import {
  createBucketPace,
  fullBucket,
  type TokenBucket,
} from '../../../lib/limits/token-bucket.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { createLruCache } from '../../../lib/values/lru-cache.ts';
import { createNumberTable, type NumberKey } from '../../../lib/values/number-table.ts';
import type { PlayerEvent } from '../../../store/facts.ts';
import { playerStates } from '../../../vocabulary/player-states.ts';
import type { Sender } from '../../draft.ts';

/** Twice what a player reports that does so each second. */
const eventsPerMs = 2 / 1_000;
/**
 * At once, what is reported in half an hour. A player's read covers ten minutes around the present:
 * four senders may add 4,800 events each to it, and stay below mostEventsOfView.
 */
const burstMs = 30 * 60_000;
/** An IPv6 /48 network counts as so many; 16, as elsewhere, could end a view alone. */
const addressesOfSite = 4;
/** Pairs of a sender and a view. */
const mostRemembered = 100_000;
/** Events that are sent again use up nothing, as long as they are remembered. */
const leastEventsRemembered = 2 ** 16;

export const tooManyEvents =
  'one address may report two events of a view a second, and 3,600 at once';

export interface EventAllowance {
  /** Uses up one event of the sender's share, unless it is a repeat; false if nothing is left. */
  take(event: PlayerEvent, sender: Pick<Sender, 'accountId' | 'network' | 'site'>): boolean;
}

export function createEventAllowance(clock: Pick<Clock, 'monotonic'>): EventAllowance {
  const known = createNumberTable(leastEventsRemembered);
  const ofNetwork = createBucketPace({ tokensPerMs: eventsPerMs, fillMs: burstMs });
  const ofSite = createBucketPace({
    tokensPerMs: eventsPerMs * addressesOfSite,
    fillMs: burstMs,
  });
  const used = createLruCache<string, TokenBucket>(mostRemembered);
  return {
    take(event, { accountId, network, site }) {
      // A server of the account reports for many viewers.
      if (network === undefined || accountId === event.accountId) return true;
      const key = createKey(event);
      if (known.get(key) !== undefined) return true;
      const nowMs = clock.monotonic();
      const shares = [{ subject: network, pace: ofNetwork }];
      if (site !== undefined) shares.push({ subject: site, pace: ofSite });
      const asked = shares.map(({ subject, pace }) => {
        const name = `${event.view} ${subject}`;
        return { name, pace, bucket: used.get(name) ?? fullBucket() };
      });
      if (asked.some(({ pace, bucket }) => pace.room(bucket, nowMs) < 1)) return false;
      for (const { name, pace, bucket } of asked) {
        pace.take(bucket, 1, nowMs);
        used.set(name, bucket);
      }
      known.set(key, 0);
      return true;
    },
  };
}

/** What makes an event one in the event log. No two of a view have the same. */
function createKey({ view, momentMs, sequence, state }: PlayerEvent): NumberKey {
  const hex = view.replaceAll('-', '');
  const word = (index: number) => Number.parseInt(hex.slice(8 * index, 8 * index + 8), 16);
  return [
    word(0) >>> 0,
    (word(1) ^ playerStates[state]) >>> 0,
    (word(2) ^ sequence) >>> 0,
    // Whole within the 48 hours that are accepted.
    (word(3) ^ (momentMs % 2 ** 32)) >>> 0,
  ];
}
