/**
 * Bounds how much of an account is set apart, in a day and at once: what strangers invent must fill
 * no disk, and keep no sums waiting. Each process counts for itself, from its start on.
 */

import { assert } from '../../lib/assert.ts';
import { createBucketPace, fullBucket, type TokenBucket } from '../../lib/limits/token-bucket.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { createNumberTable, type NumberKey } from '../../lib/values/number-table.ts';
import { type Fact, type FactDetails, slotMs } from '../../store/facts.ts';
import type { Draft, Refusal, Step } from '../draft.ts';
import { judgedView, type ViewIdentity } from './view-table.ts';

/** Of a fact in the store, with its sums; stretches that strangers draw compress badly. */
const bytesOfFact = 100;
/** Facts that grow and are sent again take no further room, as long as they are remembered. */
const leastRemembered = 2 ** 16;
/** So much at once as comes in this time, or so many facts: reports of a day make 97 each. */
const burstMs = 10 * 60_000;
const leastBurst = 10_000;

export interface QuarantineLimit {
  /** Takes room for what is new of these facts of one account; false if there is not so much. */
  take(facts: readonly Fact[]): boolean;
  /** Whether there is none at all for what begins with this fact, if that is new. */
  isFull(first: FactName): boolean;
}

/** What tells a fact from others. */
interface FactName extends ViewIdentity, Pick<Fact, 'accountId' | 'stretch' | 'slotStart'> {
  readonly details?: Pick<FactDetails, 'startMs'>;
}

/** 0: any number of bytes. */
export function createQuarantineLimit(
  bytesPerDay: number,
  clock: Pick<Clock, 'monotonic'>,
): QuarantineLimit {
  const known = createNumberTable(leastRemembered);
  const tokensPerMs = bytesPerDay / bytesOfFact / dayMs;
  const fillMs = Math.min(dayMs, Math.max(burstMs, leastBurst / tokensPerMs));
  const pace = createBucketPace({ tokensPerMs, fillMs });
  const buckets = new Map<number, TokenBucket>();
  const bucketOf = (accountId: number) => buckets.get(accountId) ?? fullBucket();
  return {
    isFull: (first) =>
      bytesPerDay > 0 &&
      pace.room(bucketOf(first.accountId), clock.monotonic()) === 0 &&
      known.get(createKey(first)) === undefined,
    take(facts) {
      const [first] = facts;
      if (first === undefined || bytesPerDay === 0) return true;
      const fresh = facts.map(createKey).filter((key) => known.get(key) === undefined);
      if (fresh.length === 0) return true;
      const nowMs = clock.monotonic();
      const bucket = bucketOf(first.accountId);
      if (pace.room(bucket, nowMs) < fresh.length) return false;
      pace.take(bucket, fresh.length, nowMs);
      buckets.set(first.accountId, bucket);
      for (const key of fresh) known.set(key, 0);
      return true;
    },
  };
}

function createKey(fact: FactName): NumberKey {
  const [first, second, third, fourth] = judgedView(fact).key;
  const slot = fact.slotStart / slotMs;
  // One that begins at another time is another fact.
  const startMs = fact.details?.startMs ?? 0;
  return [(first ^ slot) >>> 0, (second ^ startMs) >>> 0, third, (fourth ^ fact.stretch) >>> 0];
}

const refusal: Refusal = {
  code: 'TOO_MUCH_APART',
  detail: 'unusual playback, of which there is too much',
};

/** Refuses what is to be set apart while there is no room for any, before it is made into facts. */
export function refuseWhileFull({ isFull }: QuarantineLimit): Step {
  return {
    name: 'refuse while full',
    run(draft, { sender }) {
      if (draft.suspect === undefined || sender.accountId !== undefined) return undefined;
      return isFull(nameFirst(draft)) ? refusal : undefined;
    },
  };
}

function nameFirst(draft: Draft): FactName {
  const { publication, atMs: startMs } = draft;
  assert(publication, 'the video is known before its playback is judged');
  const { accountId, packageId, videoId } = publication;
  const { view, stretch } = draft.signed ?? draft;
  const slotStart = Math.floor(startMs / slotMs) * slotMs;
  return { accountId, packageId, videoId, view, stretch, slotStart, details: { startMs } };
}

/** Refuses what is to be set apart when too much of the account was; a usual part still counts. */
export function limitQuarantine(room: QuarantineLimit): Step {
  return {
    name: 'bound what is set apart',
    run(draft, { sender }) {
      const isUsual = draft.suspect === undefined && draft.beyond === undefined;
      if (isUsual || sender.accountId !== undefined) return undefined;
      const apart = draft.facts.filter(({ suspect }) => suspect !== '');
      if (room.take(apart)) return undefined;
      draft.facts = draft.facts.filter(({ suspect }) => suspect === '');
      return draft.facts.length > 0 ? undefined : refusal;
    },
  };
}
