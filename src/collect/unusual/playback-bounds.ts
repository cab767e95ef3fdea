/** How much new playback is usual for one address, one viewer and one video: token buckets. */
import { LRUCache } from 'lru-cache';
import { addressesOfSite } from '../../lib/network-of.ts';
import {
  type BucketPace,
  createBucketPace,
  fullBucket,
  type TokenBucket,
} from '../../lib/token-bucket.ts';
import type { BatchContext, Draft, Sender } from '../draft.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const mostSubjects = 50_000;

/** Of one subject; 0: without bound. */
export interface Pace {
  /** New views a minute. */
  readonly views: number;
  /** How many may play at once: so much playing time in each instant. */
  readonly players: number;
}

export type BoundedBy = 'ADDRESS' | 'VIEWER' | 'VIDEO';

/** In the order in which they are asked: who plays comes before what is played. */
const burstOfViewsMs: Readonly<Record<BoundedBy, number>> = {
  // A class of 200 begins in one minute, and each pupil loads the page three times.
  ADDRESS: 3 * minuteMs,
  VIEWER: 3 * minuteMs,
  // A premiere; and after a start all who watch are new.
  VIDEO: 10 * minuteMs,
};
/**
 * No player begins more than a stretch a second for long. Every stretch is remembered, so without a
 * bound one address could have the views of all others forgotten, to be judged as new ones.
 */
const stretchesPerPlayerMs = 1 / 1_000;
const burstOfStretchesMs = 3 * minuteMs;
/** What 200 devices played in a day without a network and report at once, with 600 players. */
const burstOfTimeMs = 8 * hourMs;

/** Whose pace is bounded; of a `SITE`, an IPv6 /48 network, the reason is `ADDRESS` too. */
type Bounded = BoundedBy | 'SITE';

type Counted = 'views' | 'stretches' | 'time';

/** An address, a network or a viewer; a video by its id. */
type Subject = string | number;

/** What one subject has used up. */
type Buckets = Readonly<Record<Counted, TokenBucket>>;

export interface PlaybackBound {
  readonly bounded: Bounded;
  readonly reason: BoundedBy;
  readonly paces: Readonly<Record<Counted, BucketPace>>;
  /** The same again for the same subject; full ones for one that is new, or forgotten. */
  bucketsOf(subject: Subject): Buckets;
}

/** A bound that concerns a draft, and the draft's buckets in it. */
export interface AskedBound extends Pick<PlaybackBound, 'reason' | 'paces'> {
  readonly subject: Subject;
  readonly buckets: Buckets;
}

const unbounded: BucketPace = { room: () => Number.POSITIVE_INFINITY, take: () => {} };

export function createPlaybackBounds(paces: Readonly<Record<BoundedBy, Pace>>): PlaybackBound[] {
  const paceOf = (tokensPerMs: number, fillMs: number): BucketPace =>
    tokensPerMs === 0 ? unbounded : createBucketPace({ tokensPerMs, fillMs });
  const { ADDRESS } = paces;
  const ofSite = {
    views: ADDRESS.views * addressesOfSite,
    players: ADDRESS.players * addressesOfSite,
  };
  const all: readonly (readonly [Bounded, BoundedBy, Pace])[] = [
    ['ADDRESS', 'ADDRESS', ADDRESS],
    ['SITE', 'ADDRESS', ofSite],
    ['VIEWER', 'VIEWER', paces.VIEWER],
    ['VIDEO', 'VIDEO', paces.VIDEO],
  ];
  return all
    .filter(([, , { views, players }]) => views > 0 || players > 0)
    .map(([bounded, reason, { views, players }]) => ({
      bounded,
      reason,
      paces: {
        views: paceOf(views / minuteMs, burstOfViewsMs[reason]),
        // Of a viewer or a video the time and the views are enough: an address is behind both.
        stretches:
          reason === 'ADDRESS'
            ? paceOf(players * stretchesPerPlayerMs, burstOfStretchesMs)
            : unbounded,
        time: paceOf(players, burstOfTimeMs),
      },
      bucketsOf: createSubjects(),
    }));
}

/** In bounded memory: the subject not asked about for longest is forgotten, so its buckets full. */
function createSubjects(): PlaybackBound['bucketsOf'] {
  // Made at its first use, since its room is taken at once.
  let subjects: LRUCache<Subject, Buckets> | undefined;
  // The same one is asked about again and again.
  let last: { readonly subject: Subject; readonly buckets: Buckets } | undefined;
  return (subject) => {
    if (last?.subject === subject) return last.buckets;
    subjects ??= new LRUCache({ max: mostSubjects });
    let buckets = subjects.get(subject);
    if (buckets === undefined) {
      buckets = { views: fullBucket(), stretches: fullBucket(), time: fullBucket() };
      subjects.set(subject, buckets);
    }
    last = { subject, buckets };
    return buckets;
  };
}

/** A sender with a key is a server of the account, which reports for many viewers, or later. */
export function boundsOf(
  bounds: readonly PlaybackBound[],
  draft: Draft,
  { sender }: BatchContext,
): AskedBound[] {
  const asked: AskedBound[] = [];
  if (sender.accountId !== undefined) return asked;
  for (const { bounded, reason, paces, bucketsOf } of bounds) {
    const own = subjectOf(bounded, draft, sender);
    if (own === undefined) continue;
    // What is not signed has bounds of its own: it must not use up those of what is.
    const subject = draft.suspect === undefined ? own : `unsigned ${own}`;
    asked.push({ reason, paces, subject, buckets: bucketsOf(subject) });
  }
  return asked;
}

function subjectOf(
  bounded: Bounded,
  { publication, viewer }: Draft,
  { network, site }: Sender,
): Subject | undefined {
  switch (bounded) {
    case 'ADDRESS':
      return network;
    case 'SITE':
      return site;
    case 'VIDEO':
      return publication?.videoId;
    case 'VIEWER':
      return viewer === undefined ? undefined : `${publication?.accountId} ${viewer}`;
  }
}
