import type { PlayerEvent } from '../../../store/facts.ts';
import {
  longestIntervalMs,
  orderView,
  type ReportedView,
  reachOfPiece,
  readViewContext,
  type ViewContext,
} from './view-context.ts';

/** Playing from one event of a view to the next. */
export interface Piece {
  readonly from: PlayerEvent;
  /** 0: the events prove nothing that counts. */
  readonly playMs: number;
  /**
   * Set where two loads may have mixed: how many events its time was worked out from. Of several
   * results the one from the most events is right.
   */
  readonly known?: number;
}

/** Events that are looked at before others have their turn. */
export const eventsOfPortion = 1_000;

/**
 * The playing that a view's events prove: from one that says it plays to the one with the next
 * number. `events` are all known ones within `reachMs` of those just reported. Whoever sees the
 * most of them decides, so any order of arrival and any repetition ends in the same time.
 *
 * Where no two events around a piece share a number, it rests on its own two events alone: its time
 * is known or not, and never another. Players that load again under the same session count from 0
 * again. Then each event may change the pieces near it, so all of these are made again, also those
 * that no longer prove anything. See docs/decisions/cmcd-events.md.
 */
export function piecesTouching(
  reported: readonly PlayerEvent[],
  events: readonly PlayerEvent[],
): Piece[] {
  return [...portionsTouching(orderView(reported, events))].flat();
}

/** The same, piece by piece: between two portions others may have their turn. */
export function* portionsTouching(view: ReportedView): Generator<Piece[]> {
  const { inOrder } = view;
  const around = readViewContext(view, reachOfPiece);
  let pieces: Piece[] = [];
  for (const [place, from] of inOrder.entries()) {
    if (place > 0 && place % eventsOfPortion === 0) {
      yield pieces;
      pieces = [];
    }
    around.moveTo(from);
    if (from.state !== 'playing' || !view.isNear(from, reachOfPiece)) continue;
    if (around.isMixed()) {
      const piece = mixedPiece(inOrder, place, around);
      if (piece) pieces.push(piece);
      continue;
    }
    const until = findNext(from, around);
    if (until && isAnyReported(from, until, around, view)) pieces.push(createPiece(from, until));
  }
  yield pieces;
}

/**
 * A piece among several loads, made from all that bears on it. If that is crowded it proves
 * nothing. Whoever made it so says that once, and those after them need not.
 *
 * Invariant: of the requests that arrived before or when a piece became crowded, the one that reads
 * last sees all of their events, so it takes back whatever counted before.
 */
function mixedPiece(
  inOrder: readonly PlayerEvent[],
  place: number,
  around: ViewContext,
): Piece | undefined {
  const from = inOrder[place] as PlayerEvent;
  const nothing = { from, playMs: 0, known: around.known() };
  if (around.areCrowded()) return around.wereCrowded() ? undefined : nothing;
  const until = findNext(from, around);
  if (!until || hasBegunAnew(inOrder, place, until, around)) return nothing;
  if (mayBeOfAnother(from, until, around)) return nothing;
  return { ...nothing, ...createPiece(from, until) };
}

function createPiece(from: PlayerEvent, until: PlayerEvent): Piece {
  return { from, playMs: until.momentMs - from.momentMs };
}

/**
 * The nearest later event with the next number; one that a response has is passed over. Of several
 * loads the nearest of all: it is never later than the next of the same load.
 */
function findNext(from: PlayerEvent, around: ViewContext): PlayerEvent | undefined {
  let next: PlayerEvent | undefined;
  for (let number = from.sequence + 1; ; number += 1) {
    const alike = around.alike(number);
    const later = alike.find(
      ({ state, momentMs }) => state !== 'untimed' && momentMs > from.momentMs,
    );
    if (later && (!next || later.momentMs < next.momentMs)) next = later;
    if (!alike.some(({ state }) => state === 'untimed')) return next;
  }
}

/** Whether one of the events with these numbers was reported just now. */
export function isAnyReported(
  from: PlayerEvent,
  until: PlayerEvent,
  around: ViewContext,
  { isReported }: ReportedView,
): boolean {
  for (let number = from.sequence; number <= until.sequence; number += 1) {
    if (around.alike(number).some(isReported)) return true;
  }
  return false;
}

/** Whether, within the piece, an event shows a load that began after it or ended before it. */
function hasBegunAnew(
  inOrder: readonly PlayerEvent[],
  place: number,
  until: PlayerEvent,
  around: ViewContext,
): boolean {
  const from = inOrder[place] as PlayerEvent;
  for (let within = place + 1; within < inOrder.length; within += 1) {
    const { sequence, momentMs } = inOrder[within] as PlayerEvent;
    if (momentMs > until.momentMs) break;
    if (momentMs === from.momentMs) continue;
    if (sequence <= from.sequence && !around.isFirst(within)) return true;
    const isEarlier = momentMs < until.momentMs;
    if (sequence >= until.sequence && isEarlier && !around.isLast(within)) return true;
  }
  return false;
}

/** Whether another load that was at the same number may have gone on to `until`. */
function mayBeOfAnother(from: PlayerEvent, until: PlayerEvent, around: ViewContext): boolean {
  const isEarlier = ({ momentMs }: PlayerEvent) => momentMs < until.momentMs;
  const others: PlayerEvent[] = [];
  for (let number = from.sequence; number < until.sequence; number += 1) {
    const alike = around.alike(number).filter((other) => other !== from && isEarlier(other));
    // A response after `from` may be of the same load.
    const isSame = number === from.sequence;
    others.push(...alike.filter(({ state }) => isSame || state !== 'untimed'));
  }
  if (until.sequence > from.sequence + 1) {
    others.sort((one, other) => one.momentMs - other.momentMs);
  }
  const certainMs = from.momentMs - reachOfPiece.beforeMs + longestIntervalMs;
  // Each earlier event with the number of `until` belongs to one of them: let it be the oldest.
  // One so early that this may be out of sight does not help.
  let left = 0;
  for (const next of around.alike(until.sequence).filter(isEarlier)) {
    if (next.momentMs < certainMs) continue;
    const oldest = others[left];
    if (oldest && oldest.momentMs < next.momentMs) left += 1;
  }
  return others.slice(left).some(({ state, momentMs }) => {
    const mayLieBackMs = state === 'untimed' ? reachOfPiece.beforeMs : longestIntervalMs;
    return until.momentMs - momentMs <= mayLieBackMs;
  });
}
