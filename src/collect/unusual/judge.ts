/**
 * Judges whether playback is usual. A new view beyond a bound is set apart as a whole; a usual view
 * stays usual, but its further time beyond a bound is set apart. What was judged once is judged
 * the same again, so a beacon that is sent again uses nothing up. See
 * docs/decisions/unusual-playback.md.
 */
import type { SuspectView } from '../../facts/facts.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/logger.ts';
import type { SuspectReason } from '../../wire/suspects.ts';
import { oldestMs } from '../check-time.ts';
import type { BatchContext, Draft } from '../draft.ts';
import {
  createJudgedViews,
  type JudgedViews,
  mostSuspectViews,
  nameOfView,
  type UsualView,
  usualMsOf,
  type ViewIdentity,
} from './judged-views.ts';
import { nameSuspect } from './name-suspect.ts';
import {
  type AskedBound,
  type BoundedBy,
  boundsOf,
  createPlaybackBounds,
  type Pace,
} from './playback-bounds.ts';

/** What is usual. */
export interface UsualLimits extends Readonly<Record<BoundedBy, Pace>> {
  /** How many lengths of its video a view may last; 0: any. */
  readonly lengths: number;
}

export interface Judge {
  /** Writes into the draft which suspects it belongs to, if any. */
  judge(draft: Draft, context: BatchContext): void;
  /** For what was judged before the start; see SuspectViewRecall. */
  readonly recall: {
    readonly reasons: readonly SuspectReason[];
    readonly withinMs: number;
    readonly mostViews: number;
    remember(views: readonly SuspectView[]): void;
  };
}

interface JudgeParts {
  readonly limits: UsualLimits;
  /** Keys the hashes of addresses and viewers. */
  readonly secret: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
}

const judgedReasons = ['ADDRESS', 'VIEWER', 'VIDEO', 'LENGTH'] as const;
const warnEveryMs = 3_600_000;

export function createJudge({ limits, secret, clock, logger }: JudgeParts): Judge {
  const bounds = createPlaybackBounds(limits);
  const views = createJudgedViews();
  const warn = warningOfProxies(logger);

  /** Undefined if the whole view is set apart. */
  const admit = (
    draft: Draft,
    asked: readonly AskedBound[],
    context: BatchContext,
    name: string,
  ): UsualView | undefined => {
    const nowMs = clock.monotonic();
    const met = asked.find(({ views, subject }) => views.room(subject, nowMs) < 1);
    if (!met) {
      for (const bound of asked) bound.views.take(bound.subject, 1, nowMs);
      return views.admit(name);
    }
    draft.suspect = nameSuspect(secret, draft, met, context);
    views.setApart(name, draft.suspect);
    warn(met.reason, nowMs);
    return undefined;
  };

  /** Grants a stretch further time, up to the bound that is met first. */
  const grow = (
    draft: Draft,
    asked: readonly AskedBound[],
    context: BatchContext,
    view: UsualView,
    name: string,
  ): UsualView => {
    const knownMs = usualMsOf(view, numberOf(draft));
    const wantedMs = draft.playMs - knownMs;
    if (wantedMs <= 0 || view.beyond !== undefined) return view;
    const nowMs = clock.monotonic();
    const tightest = tightestOf(lengthRoom(draft, limits, view), asked, nowMs);
    const grantedMs = Math.min(wantedMs, tightest.roomMs);
    for (const { time, subject } of asked) time.take(subject, grantedMs, nowMs);
    const grown = views.grow(name, view, numberOf(draft), knownMs + grantedMs);
    if (grantedMs === wantedMs) return grown;
    warn(tightest.reason, nowMs);
    return views.end(name, grown, nameSuspect(secret, draft, tightest, context));
  };

  return {
    judge(draft, context) {
      const name = nameOfView(identityOf(draft));
      const usual = views.usualOf(name);
      const suspect = usual ? undefined : views.suspectOf(name);
      if (suspect !== undefined) {
        draft.suspect = suspect;
        return;
      }
      const asked = boundsOf(bounds, draft, context);
      const known = usual ?? admit(draft, asked, context, name);
      if (known === undefined) return;
      const view = grow(draft, asked, context, known, name);
      const usualMs = usualMsOf(view, numberOf(draft));
      if (view.beyond === undefined || draft.playMs <= usualMs) return;
      draft.beyond = { suspect: view.beyond, fromMs: usualMs };
    },
    recall: {
      reasons: judgedReasons,
      withinMs: oldestMs,
      mostViews: mostSuspectViews,
      remember: (judged) => remember(views, judged),
    },
  };
}

/** Behind a proxy that is not trusted, all playback seems to come from one address. */
function warningOfProxies(logger: Pick<Logger, 'warn'>) {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  return (reason: SuspectReason, nowMs: number): void => {
    if (reason !== 'ADDRESS' || nowMs - warnedAtMs < warnEveryMs) return;
    warnedAtMs = nowMs;
    logger.warn('playback from one IP address is set apart: if it is a proxy, set TRUST_PROXY');
  };
}

interface Tightest {
  readonly reason: SuspectReason;
  readonly subject: string;
}

function tightestOf(
  lengthMs: number,
  asked: readonly AskedBound[],
  nowMs: number,
): Tightest & { readonly roomMs: number } {
  let tightest = { reason: 'LENGTH' as SuspectReason, subject: '', roomMs: lengthMs };
  for (const { reason, time, subject } of asked) {
    const roomMs = time.room(subject, nowMs);
    if (roomMs < tightest.roomMs) tightest = { reason, subject, roomMs };
  }
  return tightest;
}

/** A length of 0 is not known. */
function lengthRoom({ publication }: Draft, { lengths }: UsualLimits, view: UsualView): number {
  const lengthMs = publication?.durationMs ?? 0;
  if (lengths === 0 || lengthMs === 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, lengths * lengthMs - view.usualMs);
}

/** As its facts have it. */
function numberOf(draft: Draft): number {
  return (draft.signed ?? draft).stretch;
}

function identityOf(draft: Draft): ViewIdentity {
  const { publication, operatingSystem } = draft;
  assert(publication && operatingSystem, 'a view is judged when its video and system are known');
  const { packageId, videoId } = publication;
  const { name: os, version: osVersion } = operatingSystem;
  return { packageId, videoId, os, osVersion, view: (draft.signed ?? draft).view };
}

function remember(views: JudgedViews, judged: readonly SuspectView[]): void {
  for (const { suspect, usual, ...identity } of judged) {
    const name = nameOfView(identity);
    if (usual.length === 0) {
      views.setApart(name, suspect);
      continue;
    }
    let view = views.admit(name);
    for (const [stretch, usualMs] of usual) view = views.grow(name, view, stretch, usualMs);
    views.end(name, view, suspect);
  }
}
