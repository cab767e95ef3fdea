/**
 * The waits that a view's events prove. As a piece of playing, a wait goes from event to event with
 * the next number; what is between two numbers that do not follow each other is not known, so what
 * comes late only adds. Where two events around it share a number, it is taken back for good: a
 * player may have been loaded again, and no event says of which load it is.
 */
import type { PlayerEvent } from '../../../store/facts.ts';
import type { WaitCause, WaitOutcome } from '../../../vocabulary/waits.ts';
import {
  longestIntervalMs,
  type ReportedView,
  reachOfWait,
  readViewContext,
  type ViewContext,
} from './view-context.ts';
import { eventsOfPortion, isAnyReported } from './view-pieces.ts';

export interface ViewWait {
  readonly from: PlayerEvent;
  readonly cause: WaitCause;
  readonly outcome: WaitOutcome;
  readonly waitMs: number;
  readonly error?: string | undefined;
  /** Set if it does not count, whatever was told of it before. */
  readonly isTakenBack?: true;
}

/** What begins with an event of such a state, unless it goes on with something. */
const causes: { readonly [state in PlayerEvent['state']]?: WaitCause } = {
  starting: 'start',
  seeking: 'seek',
  stalled: 'stall',
  failed: 'error',
};

/** A stall that is shorter is none. */
const shortestStallMs = 100;

/**
 * How many events are walked before and after one; a player that reports each second stays below.
 * Strangers would have thousands walked from each.
 */
const mostEventsBefore = 100;
const mostEventsAfter = 300;

/** In portions, as pieces. Those that began before an event reported just now may have grown. */
export function* waitsTouching(view: ReportedView): Generator<ViewWait[]> {
  const around = readViewContext(view, reachOfWait);
  let waits: ViewWait[] = [];
  for (const [place, from] of view.inOrder.entries()) {
    // From one of them, more may be walked than from one that plays.
    if (place > 0 && place % (eventsOfPortion / 2) === 0) {
      yield waits;
      waits = [];
    }
    const cause = causes[from.state];
    if (cause === undefined || !view.isNear(from, reachOfWait)) continue;
    around.moveTo(from);
    if (!around.isMixed()) {
      const wait = waitFrom(from, cause, around, view);
      if (wait) waits.push(wait);
    } else if (!around.wereMixed() || view.isReported(from)) {
      // Those that were known and mixed before were taken back then. One that is reported only now
      // has its row too: by it a view has quality, whichever event came first.
      waits.push({ from, cause, outcome: 'waiting', waitMs: 0, isTakenBack: true });
    }
  }
  yield waits;
}

function waitFrom(
  from: PlayerEvent,
  cause: WaitCause,
  around: ViewContext,
  view: ReportedView,
): ViewWait | undefined {
  // As most: it goes on with what it does.
  if (neighbour(from, -1, around)?.state === from.state) return undefined;
  const before = runBefore(from, around);
  if (before === undefined) return undefined;
  const begins = cause === 'start' ? beginsStart(before) : causeOfLast([...before, from]) === cause;
  if (!begins) return undefined;
  const { last, hasFailed, ...told } = follow(from, before.at(-1), around);
  if (!isAnyReported(before[0] ?? from, last, around, view)) return undefined;
  // Also if it played in the end: the failure may have been told before that was known.
  const mayBeNone = cause === 'stall' && !hasFailed;
  if (mayBeNone && told.waitMs < shortestStallMs) return undefined;
  return { from, cause, ...told };
}

/**
 * What came before, back to the last playing or to the beginning of the view; of a request to play,
 * which may come long after the page was opened, just what failed before it, and the event before
 * that. Undefined where some of it is missing.
 */
function runBefore(from: PlayerEvent, around: ViewContext): PlayerEvent[] | undefined {
  const run: PlayerEvent[] = [];
  for (let event = from; event.sequence > 0; ) {
    const before = neighbour(event, -1, around);
    if (before === undefined || run.length === mostEventsBefore) return undefined;
    run.push(before);
    if (before.state === 'playing') break;
    if (from.state === 'starting' && before.state !== 'failed') break;
    event = before;
  }
  return run.reverse();
}

/**
 * Whether a request to play after this begins the start. After a pause it does so again: of several
 * beginnings of a view's wait 0 the store takes the first.
 */
function beginsStart(before: readonly PlayerEvent[]): boolean {
  const last = before.findLast(({ state }) => state !== 'failed')?.state;
  return last === undefined || last === 'resting' || last === 'quit';
}

/** The cause of the wait that the last of these events begins; undefined: it begins none. */
function causeOfLast(run: readonly PlayerEvent[]): WaitCause | undefined {
  let waitsFor: WaitCause | undefined;
  let before: PlayerEvent['state'] | undefined;
  let begun: WaitCause | undefined;
  let hasPlayed = false;
  for (const { state } of run) {
    begun =
      waitsFor === undefined && mayBegin(state, before, hasPlayed) ? causes[state] : undefined;
    waitsFor ??= begun;
    if (state === 'starting' && !hasPlayed) waitsFor = 'start';
    if (state === 'playing' || state === 'quit') waitsFor = undefined;
    if (state === 'playing') hasPlayed = true;
    before = state;
  }
  return begun;
}

function mayBegin(
  state: PlayerEvent['state'],
  before: PlayerEvent['state'] | undefined,
  hasPlayed: boolean,
): boolean {
  if (state === 'starting') return !hasPlayed;
  // While it is paused, nobody waits for it.
  if (state === 'seeking') return before === 'playing';
  if (state === 'stalled') return hasPlayed && (before === 'playing' || before === 'resting');
  return true;
}

/** What became of the wait that begins with an event, as far as is known. */
function follow(from: PlayerEvent, before: PlayerEvent | undefined, around: ViewContext) {
  let last = from;
  let previous = before;
  let outcome: WaitOutcome = 'waiting';
  let waitMs = 0;
  let hasFailed = false;
  // Some players tell the error before they give up.
  const errors = [before?.error];
  for (let walked = 0; walked < mostEventsAfter; walked += 1) {
    errors.push(last.error);
    if (last.state === 'failed') {
      hasFailed = true;
      outcome = 'failed';
    }
    const next = neighbour(last, 1, around);
    const ms = next ? next.momentMs - last.momentMs : Number.POSITIVE_INFINITY;
    if (next === undefined || ms > longestIntervalMs) break;
    const isSeekInPause = last.state === 'seeking' && previous?.state === 'resting';
    if (isWaiting(last) && !isSeekInPause) waitMs += ms;
    previous = last;
    last = next;
    if (next.state === 'playing') outcome = 'played';
    if (next.state === 'quit' && outcome === 'waiting') outcome = 'left';
    if (next.state === 'playing' || next.state === 'quit') break;
  }
  const error = errors
    .filter((code) => code !== undefined)
    .sort()
    .at(-1);
  return { last, hasFailed, outcome, waitMs, ...(hasFailed && error !== undefined && { error }) };
}

function isWaiting({ state }: PlayerEvent): boolean {
  return ['starting', 'seeking', 'stalled', 'waiting'].includes(state);
}

/** The event with the next number, or the one before; what a response has is passed over. */
function neighbour(event: PlayerEvent, step: 1 | -1, around: ViewContext): PlayerEvent | undefined {
  for (let number = event.sequence + step; ; number += step) {
    const other = around.only(number);
    if (other === undefined) return undefined;
    const isInOrder = (other.momentMs - event.momentMs) * step >= 0;
    if (other.state !== 'untimed') return isInOrder ? other : undefined;
  }
}
