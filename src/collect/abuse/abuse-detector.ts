/**
 * Judges whether playback is usual. A new view beyond a bound is set apart as a whole; a usual view
 * stays usual, but its further time beyond a bound is set apart. What was judged once is judged
 * the same again, so a beacon that is sent again uses nothing up. See
 * docs/decisions/unusual-playback.md.
 */

import { createHmac } from 'node:crypto';
import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { type SuspectView, slotMs } from '../../store/facts.ts';
import { createSuspectId, type SuspectReason } from '../../vocabulary/suspects.ts';
import { startNumber } from '../../vocabulary/waits.ts';
import type { BatchContext, Draft } from '../draft.ts';
import { signedNumber } from '../signing/signature-step.ts';
import { oldestMs } from '../steps/time-step.ts';
import {
  type Allowance,
  type BoundedBy,
  createPlaybackBounds,
  findAllowances,
  type Pace,
  takeFrom,
} from './playback-bounds.ts';
import { createQuarantineLimit, type QuarantineLimit } from './quarantine-limit.ts';
import {
  createJudgedViews,
  type JudgedView,
  type JudgedViews,
  judgedView,
  mostSuspectViews,
} from './view-table.ts';

/** What is usual. */
export interface UsualLimits extends Readonly<Record<BoundedBy, Pace>> {
  /** How many lengths of its video a view may last; 0: any. */
  readonly lengths: number;
  /** How many stretches one view may have on one day (UTC), without a key; 0: any. */
  readonly stretches: number;
  /** Of an account, set apart in a day; 0: any. */
  readonly apartBytes: number;
}

export interface AbuseDetector {
  /** Writes into the draft which suspects it belongs to, if any. It may belong to `UNSIGNED`. */
  judge(draft: Draft, context: BatchContext): void;
  /** Whether a stretch of this number that is known of the view is another one. */
  beganElsewhere(draft: Draft): boolean;
  /** Whether the view is known to have reported its start, the wait with which it begins. */
  knowsStart(draft: Draft): boolean;
  readonly quarantineLimit: QuarantineLimit;
  /** For what was judged before the start; see SuspectViewRecall. */
  readonly recall: {
    readonly reasons: readonly SuspectReason[];
    readonly withinMs: number;
    readonly mostViews: number;
    remember(views: readonly SuspectView[]): void;
  };
}

interface AbuseDetectorParts {
  readonly limits: UsualLimits;
  /** Keys the hashes of addresses and viewers. */
  readonly secret: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What is judged, and what bounds it. */
interface Case {
  readonly draft: Draft;
  readonly allowances: readonly Allowance[];
  readonly context: BatchContext;
  readonly view: JudgedView;
  readonly nowMs: number;
  /** How many rows it would add, at least. */
  readonly newRows: number;
}

/** What is known to be usual of a view, and of the stretch that is judged; undefined: it is new. */
interface Known {
  readonly usualMs: number | undefined;
  readonly knownMs: number | undefined;
  readonly hasRow: boolean;
}

const judgedReasons = ['ADDRESS', 'VIEWER', 'VIDEO', 'LENGTH', 'ACCOUNT'] as const;
const warnEveryMs = 3_600_000;

export function createAbuseDetector({
  limits,
  secret,
  clock,
  logger,
}: AbuseDetectorParts): AbuseDetector {
  const bounds = createPlaybackBounds(limits);
  const views = createJudgedViews();
  const warn = warningOfProxies({ clock, logger });

  /** Whether a new view is usual; otherwise it is set apart as a whole. */
  const admit = ({ draft, allowances, context, view, nowMs, newRows }: Case): boolean => {
    const met = allowances.find(
      ({ paces, buckets }) =>
        paces.views.room(buckets.views, nowMs) < 1 ||
        paces.rows.room(buckets.rows, nowMs) < newRows,
    );
    if (!met) {
      for (const allowance of allowances) takeFrom(allowance, 'views', { tokens: 1, nowMs });
      return true;
    }
    draft.suspect = nameSuspect(secret, draft, reasonFor(draft, met), context);
    views.setApart(view, draft.suspect);
    warn(met.reason);
    return false;
  };

  /** Counts one more stretch of the view; false if it has as many as a player makes in a day. */
  const beginsOneMore = ({ draft, context, view }: Case): boolean => {
    if (limits.stretches === 0 || context.sender.accountId !== undefined) return true;
    const day = Math.floor(draft.atMs / dayMs);
    const stretches = views.stretchesOn(view, day);
    if (stretches >= limits.stretches) return false;
    views.countStretches(view, day, stretches + 1);
    return true;
  };

  /**
   * How much longer a view may be than it is, of which more is wanted. A film in a loop plays as
   * long as time passes, on a screen in a shop for weeks. With a key, `at` may be of any time.
   */
  const lengthRoom = (judged: Case, usualMs: number, wantedMs: number): number => {
    const { draft, context, view } = judged;
    // A length of 0 is not known.
    const lengthMs = draft.publication?.durationMs ?? 0;
    if (limits.lengths === 0 || lengthMs === 0) return Number.POSITIVE_INFINITY;
    const restMs = limits.lengths * lengthMs - usualMs;
    const hasKey = context.sender.accountId !== undefined;
    if (wantedMs <= restMs || hasKey) return Math.max(0, restMs);
    const passedMs = context.nowMs - views.loopsFromMs(view, draft.atMs);
    return Math.max(0, restMs + Math.max(0, passedMs));
  };

  /** Grants a stretch further time, up to the bound that is met first. */
  const grow = (judged: Case, { usualMs: before, knownMs: known, hasRow }: Known): void => {
    const isNew = before === undefined;
    const usualMs = before ?? 0;
    const { draft, allowances, context, view, nowMs, newRows } = judged;
    const knownMs = known ?? 0;
    const wantedMs = Math.max(0, draft.playMs - knownMs);
    const newStretches = hasRow ? 0 : 1;
    let tightest: Tightest = ofLength;
    let roomMs = lengthRoom(judged, usualMs, wantedMs);
    // A view's first stretch need not be counted, so most views take no more room than their time.
    if (newStretches === 1 && !isNew && !beginsOneMore(judged)) roomMs = noRoom;
    for (const allowance of allowances) {
      const allowedMs = timeRoom(allowance, newStretches, judged);
      if (allowedMs >= roomMs) continue;
      tightest = allowance;
      roomMs = allowedMs;
    }
    const grantedMs = Math.max(0, Math.min(wantedMs, roomMs));
    const isGranted = grantedMs > 0 || (wantedMs === 0 && roomMs !== noRoom);
    for (const allowance of isGranted ? allowances : []) {
      takeFrom(allowance, 'time', { tokens: grantedMs, nowMs });
      // Most beacons grow what is known.
      if (newStretches > 0) takeFrom(allowance, 'stretches', { tokens: newStretches, nowMs });
      if (newRows > 0) takeFrom(allowance, 'rows', { tokens: newRows, nowMs });
    }
    views.grow(view, usualMs + grantedMs);
    // The play of a view that was just admitted counts, also without any of its time.
    if (isGranted || isNew) {
      views.growStretch(view, findNumber(draft), knownMs + grantedMs, draft.atMs);
    }
    if (isGranted && grantedMs === wantedMs) return;
    warn(tightest.reason);
    views.end(view, nameSuspect(secret, draft, reasonFor(draft, tightest), context));
  };

  return {
    judge(draft, context) {
      const view = toJudgedView(draft);
      const usualMs = views.usualMs(view);
      const isNew = usualMs === undefined;
      const suspect = isNew ? views.suspectOf(view) : undefined;
      if (suspect !== undefined) {
        draft.suspect = suspect;
        return;
      }
      const knownMs = isNew ? undefined : views.usualMsOf(view, findNumber(draft), draft.atMs);
      const hasRow = !isNew && views.hasRow(view, findNumber(draft), draft.atMs);
      const isLonger = draft.playMs > (knownMs ?? 0);
      const grows = (isLonger || !hasRow) && views.beyond(view) === undefined;
      if (isNew || grows) {
        const nowMs = clock.monotonic();
        const knownRows = hasRow ? countSlots(draft, knownMs ?? 0) : 0;
        const newRows = countSlots(draft, draft.playMs) - knownRows;
        const allowances = findAllowances(bounds, draft, context, newRows > 0);
        const judged = { draft, allowances, context, view, nowMs, newRows };
        if (isNew && !admit(judged)) return;
        if (grows) grow(judged, { usualMs, knownMs, hasRow });
        else views.admit(view);
      }
      setBeyond(draft, views, view);
    },
    beganElsewhere: (draft) =>
      views.beganElsewhere(toJudgedView(draft), findNumber(draft), draft.atMs, draft.playMs),
    knowsStart(draft) {
      const { view } = draft;
      const start = { view, stretch: startNumber };
      return views.knows(toJudgedView(draft), draft.signed ? signedNumber(start) : startNumber);
    },
    quarantineLimit: createQuarantineLimit(limits.apartBytes, clock),
    recall: recallInto(views),
  };
}

/** Behind a proxy that is not trusted, all playback seems to come from one address. */
function warningOfProxies({ clock, logger }: Pick<AbuseDetectorParts, 'clock' | 'logger'>) {
  const seldom = createThrottle(clock, warnEveryMs);
  const advice = 'playback from one IP address is set apart: if it is a proxy, set TRUST_PROXY';
  return (reason: SuspectReason): void => {
    if (reason === 'ADDRESS') seldom(() => logger.warn(advice));
  };
}

type Tightest = Pick<Allowance, 'subject'> & { readonly reason: SuspectReason };

const ofLength: Tightest = { reason: 'LENGTH', subject: '' };

/** For a stretch that may not begin, or a row that may not be added. */
const noRoom = -1;

/** How much time an allowance has left for a stretch. */
function timeRoom(
  { paces, buckets }: Allowance,
  newStretches: number,
  { newRows, nowMs }: Pick<Case, 'newRows' | 'nowMs'>,
): number {
  const mayBegin =
    newStretches === 0 || paces.stretches.room(buckets.stretches, nowMs) >= newStretches;
  const mayAdd = newRows === 0 || paces.rows.room(buckets.rows, nowMs) >= newRows;
  return mayBegin && mayAdd ? paces.time.room(buckets.time, nowMs) : noRoom;
}

/** In how many slots so much of the stretch lies. */
function countSlots({ atMs }: Draft, playMs: number): number {
  const last = Math.floor((atMs + Math.max(1, playMs) - 1) / slotMs);
  return last - Math.floor(atMs / slotMs) + 1;
}

/** If its view met a bound, its time beyond what is usual belongs to another suspect. */
function setBeyond(draft: Draft, views: JudgedViews, view: JudgedView): void {
  const suspect = views.beyond(view);
  if (suspect === undefined) return;
  const hasRow = views.hasRow(view, findNumber(draft), draft.atMs);
  const fromMs = hasRow ? (views.usualMsOf(view, findNumber(draft), draft.atMs) ?? 0) : 0;
  // A play told with another beginning, or a stretch without time, is a row, and not a usual one.
  if (!hasRow && (draft.plays > 0 || draft.playMs === 0)) draft.suspect = suspect;
  else if (draft.playMs > fromMs) draft.beyond = { suspect, fromMs };
}

/** What is not signed stays so, but a verdict on what is usual of it must not take this in. */
function reasonFor(draft: Draft, { reason, subject }: Tightest): Tightest {
  if (draft.suspect === undefined) return { reason, subject };
  return { reason: 'UNSIGNED', subject: `${reason} ${draft.publication?.videoId} ${subject}` };
}

/** As its facts have it. */
function findNumber(draft: Draft): number {
  return (draft.signed ?? draft).stretch;
}

/** That of a draft, under whatever name its facts will have; several steps ask for it. */
function toJudgedView(draft: Draft): JudgedView {
  if (draft.judged) return draft.judged;
  const { publication } = draft;
  assert(publication, 'a view is judged when its video is known');
  const { packageId, videoId } = publication;
  draft.judged = judgedView({ packageId, videoId, view: (draft.signed ?? draft).view });
  return draft.judged;
}

function recallInto(views: JudgedViews): AbuseDetector['recall'] {
  return {
    reasons: judgedReasons,
    withinMs: oldestMs,
    mostViews: mostSuspectViews,
    remember(judged) {
      for (const { suspect, usual, ...identity } of judged) {
        const view = judgedView(identity);
        if (usual.length === 0) {
          views.setApart(view, suspect);
          continue;
        }
        views.admit(view);
        let usualMs = 0;
        for (const [stretch, usualMsOf] of usual) {
          usualMs += usualMsOf;
          views.grow(view, usualMs);
          views.growStretch(view, stretch, usualMsOf);
        }
        views.end(view, suspect);
      }
    },
  };
}

const hashDigits = 16;

/**
 * The id of the suspect that a draft belongs to from now on. An address or a viewer appears as a
 * keyed hash, with the account and the day in it, so that it connects neither accounts nor days.
 */
function nameSuspect(
  secret: string,
  { publication }: Draft,
  { reason, subject }: { readonly reason: SuspectReason; readonly subject: string | number },
  { nowMs }: BatchContext,
): string {
  assert(publication, 'the video is known before its playback is judged');
  const { accountId, videoId } = publication;
  const day = toUtcDay(nowMs);
  if (reason === 'VIDEO' || reason === 'LENGTH') {
    return createSuspectId({ reason, day, subject: String(videoId) });
  }
  if (reason === 'ACCOUNT') return createSuspectId({ reason, day, subject: String(accountId) });
  const name = `suspect\n${reason}\n${day}\n${accountId}\n${subject}`;
  const hash = createHmac('sha256', secret).update(name).digest('hex');
  return createSuspectId({ reason, day, subject: hash.slice(0, hashDigits) });
}
