/** How much new playback is usual for one address, viewer, video and account: token buckets. */
import {
  type BucketPace,
  createBucketPace,
  fullBucket,
  type TokenBucket,
} from '../../lib/limits/token-bucket.ts';
import { addressesOfSite } from '../../lib/network/address-network.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { BatchContext, Draft, Sender } from '../draft.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const mostSubjects = 50_000;

/** Of one subject; 0: without bound. */
export interface Pace {
  /** New views a minute. */
  readonly views: number;
  /** How many may play at once: so much playing time in each instant. */
  readonly players: number;
  /** New rows a day: a stretch has one for each slot that it plays in. */
  readonly rows: number;
}

export type BoundedBy = 'ADDRESS' | 'VIEWER' | 'VIDEO' | 'ACCOUNT';

/** In the order in which they are asked: who plays comes before what is played. */
const burstOfViewsMs: Readonly<Record<BoundedBy, number>> = {
  // A class of 200 begins in one minute, and each pupil loads the page three times.
  ADDRESS: 3 * minuteMs,
  VIEWER: 3 * minuteMs,
  // A premiere; and after a start all who watch are new.
  VIDEO: 10 * minuteMs,
  ACCOUNT: 10 * minuteMs,
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

type Counted = 'views' | 'stretches' | 'time' | 'rows';

/** An address, a network or a viewer; a video or an account by its id. */
type Subject = string | number;

/** A bound for one subject: how fast it fills, and what of it is used up. */
export interface Allowance {
  readonly reason: BoundedBy;
  readonly subject: Subject;
  readonly paces: Readonly<Record<Counted, BucketPace>>;
  readonly buckets: Readonly<Record<Counted, TokenBucket>>;
  /** Remembers it, if it is not yet. Asking alone must not: it would have others forgotten. */
  keep(): void;
}

export interface PlaybackBound {
  readonly bounded: Bounded;
  /** It need not be asked about what adds none. */
  readonly isOfRowsAlone: boolean;
  /** An unused one for a subject that is new or forgotten; see `keep`. */
  allowanceOf(subject: Subject): Allowance;
}

const unbounded: BucketPace = { room: () => Number.POSITIVE_INFINITY, take: () => {} };

export function createPlaybackBounds(paces: Readonly<Record<BoundedBy, Pace>>): PlaybackBound[] {
  const paceOf = (tokensPerMs: number, fillMs: number): BucketPace =>
    tokensPerMs === 0 ? unbounded : createBucketPace({ tokensPerMs, fillMs });
  const { ADDRESS } = paces;
  const ofSite = {
    views: ADDRESS.views * addressesOfSite,
    players: ADDRESS.players * addressesOfSite,
    rows: ADDRESS.rows * addressesOfSite,
  };
  const all: readonly (readonly [Bounded, BoundedBy, Pace])[] = [
    ['ADDRESS', 'ADDRESS', ADDRESS],
    ['SITE', 'ADDRESS', ofSite],
    ['VIEWER', 'VIEWER', paces.VIEWER],
    ['VIDEO', 'VIDEO', paces.VIDEO],
    ['ACCOUNT', 'ACCOUNT', paces.ACCOUNT],
  ];
  return all
    .filter(([, , { views, players, rows }]) => views > 0 || players > 0 || rows > 0)
    .map(([bounded, reason, { views, players, rows }]) => ({
      bounded,
      isOfRowsAlone: views === 0 && players === 0,
      allowanceOf: createAllowances(reason, {
        views: paceOf(views / minuteMs, burstOfViewsMs[reason]),
        // Of a viewer or a video the time and the views are enough: an address is behind both.
        stretches:
          reason === 'ADDRESS'
            ? paceOf(players * stretchesPerPlayerMs, burstOfStretchesMs)
            : unbounded,
        time: paceOf(players, burstOfTimeMs),
        rows: paceOf(rows / dayMs, dayMs),
      }),
    }));
}

/** In bounded memory: that of the subject not used for longest is forgotten, so unused. */
function createAllowances(
  reason: BoundedBy,
  paces: Allowance['paces'],
): PlaybackBound['allowanceOf'] {
  const kept = createLruCache<Subject, Allowance>(mostSubjects);
  // The same subject is asked about again and again.
  let last: Allowance | undefined;
  const create = (subject: Subject): Allowance => {
    const [views, stretches, time, rows] = [fullBucket(), fullBucket(), fullBucket(), fullBucket()];
    const buckets = { views, stretches, time, rows };
    let isKept = false;
    const allowance: Allowance = {
      ...{ reason, subject, paces, buckets },
      keep() {
        if (isKept) return;
        isKept = true;
        kept.set(subject, allowance);
      },
    };
    return allowance;
  };
  return (subject) => {
    if (last?.subject !== subject) last = kept.get(subject) ?? create(subject);
    return last;
  };
}

/** Takes tokens, not more than there is room for. */
export function takeFrom(
  { keep, paces, buckets }: Allowance,
  counted: Counted,
  { tokens, nowMs }: { readonly tokens: number; readonly nowMs: number },
): void {
  keep();
  paces[counted].take(buckets[counted], tokens, nowMs);
}

/**
 * Those that a draft is bounded by. A sender with a key is a server of the account, which reports
 * for many viewers, or later.
 */
export function findAllowances(
  bounds: readonly PlaybackBound[],
  draft: Draft,
  { sender }: BatchContext,
  addsRows: boolean,
): Allowance[] {
  const found: Allowance[] = [];
  if (sender.accountId !== undefined) return found;
  for (const { bounded, isOfRowsAlone, allowanceOf } of bounds) {
    if (isOfRowsAlone && !addsRows) continue;
    const own = nameSubject(bounded, draft, sender);
    if (own === undefined) continue;
    // What is not signed has bounds of its own: it must not use up those of what is.
    found.push(allowanceOf(draft.suspect === undefined ? own : `unsigned ${own}`));
  }
  return found;
}

function nameSubject(
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
    case 'ACCOUNT':
      return publication?.accountId;
    case 'VIEWER':
      return viewer === undefined ? undefined : `${publication?.accountId} ${viewer}`;
  }
}
