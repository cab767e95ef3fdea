import type { PlayerEvent } from '../../facts/facts.ts';

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

/**
 * The longest time between two events that counts. A device that sleeps sends nothing, and its
 * next event follows the last: without a bound the night would count.
 */
export const longestIntervalMs = 90_000;
/** A response carries the instant of its request, which was at most this long before. */
const longestResponseMs = 120_000;
/** What bears on a piece is from so long before its beginning until the longest interval after. */
const bearingMs = longestIntervalMs + longestResponseMs;
/** How far from a reported event those may lie that bear on the same piece. */
export const reachMs = bearingMs + longestIntervalMs;
/**
 * Where loads may have mixed, each event is compared with those around it. A view with so many in a
 * few minutes is no player's, and nothing of it is added: it would keep everybody else waiting.
 */
const mostComparisons = 1_000_000;

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
  const inOrder = events
    .filter(({ state }) => state !== 'counted')
    .sort((one, other) => one.momentMs - other.momentMs);
  const reportedMs = reported.map(({ momentMs }) => momentMs).sort((one, other) => one - other);
  const reportedNumbers = Map.groupBy(reported, ({ sequence }) => sequence);
  const byNumber = numbered(inOrder);
  const pieces: Piece[] = [];
  let comparisons = 0;
  for (const { from, first, end, isMixed } of surroundings(inOrder)) {
    if (from.state !== 'playing') continue;
    if (!isMixed) {
      const until = nextOf(from, byNumber);
      if (until && isReported(from, until, reportedNumbers)) pieces.push(pieceOf(from, until));
      continue;
    }
    if (!hasBetween(reportedMs, from.momentMs - bearingMs, from.momentMs + longestIntervalMs)) {
      continue;
    }
    const known = end - first;
    comparisons += known;
    if (comparisons > mostComparisons) return [];
    const around = numbered(inOrder.slice(first, end));
    const until = nextOf(from, around);
    const isProven =
      until && !hasBegunAnew(from, until, around) && !mayBeOfAnother(from, until, around);
    pieces.push(isProven ? { ...pieceOf(from, until), known } : { from, playMs: 0, known });
  }
  return pieces;
}

function pieceOf(from: PlayerEvent, until: PlayerEvent): Piece {
  return { from, playMs: until.momentMs - from.momentMs };
}

/** In order of time. */
type ByNumber = ReadonlyMap<number, readonly PlayerEvent[]>;

function numbered(inOrder: readonly PlayerEvent[]): ByNumber {
  return Map.groupBy(inOrder, ({ sequence }) => sequence);
}

interface Surroundings {
  readonly from: PlayerEvent;
  /** The places of the first event that bears on it, and after the last. */
  readonly first: number;
  readonly end: number;
  /** Whether two of them share a number. */
  readonly isMixed: boolean;
}

/** What bears on a piece that begins at an event, for each. */
function* surroundings(inOrder: readonly PlayerEvent[]): Iterable<Surroundings> {
  const counts = new Map<number, number>();
  let first = 0;
  let end = 0;
  for (const from of inOrder) {
    for (let event = inOrder[end]; event && bearsOn(from, event); event = inOrder[end]) {
      counts.set(event.sequence, (counts.get(event.sequence) ?? 0) + 1);
      end += 1;
    }
    for (let event = inOrder[first]; event && !bearsOn(from, event); event = inOrder[first]) {
      const count = counts.get(event.sequence) ?? 0;
      if (count > 1) counts.set(event.sequence, count - 1);
      else counts.delete(event.sequence);
      first += 1;
    }
    yield { from, first, end, isMixed: counts.size < end - first };
  }
}

function bearsOn(from: PlayerEvent, { momentMs }: PlayerEvent): boolean {
  const afterMs = momentMs - from.momentMs;
  return afterMs >= -bearingMs && afterMs <= longestIntervalMs;
}

/**
 * The nearest later event with the next number; one that a response has is passed over. Of several
 * loads the nearest of all: it is never later than the next of the same load.
 */
function nextOf(from: PlayerEvent, byNumber: ByNumber): PlayerEvent | undefined {
  let next: PlayerEvent | undefined;
  for (let number = from.sequence + 1; ; number += 1) {
    const alike = byNumber.get(number)?.filter((event) => bearsOn(from, event)) ?? [];
    const later = alike.find(
      ({ state, momentMs }) => state !== 'untimed' && momentMs > from.momentMs,
    );
    if (later && (!next || later.momentMs < next.momentMs)) next = later;
    if (!alike.some(({ state }) => state === 'untimed')) return next;
  }
}

/** Whether one of the events that a piece rests on was reported just now. */
function isReported(from: PlayerEvent, until: PlayerEvent, reported: ByNumber): boolean {
  // Looked up and not searched: a request may have a thousand events, and their view many more.
  for (let number = from.sequence; number <= until.sequence; number += 1) {
    if (reported.get(number)?.some((event) => bearsOn(from, event))) return true;
  }
  return false;
}

/** Whether, within the piece, an event shows a load that began after it or ended before it. */
function hasBegunAnew(from: PlayerEvent, until: PlayerEvent, around: ByNumber): boolean {
  const isWithin = ({ momentMs }: PlayerEvent) =>
    momentMs > from.momentMs && momentMs <= until.momentMs;
  for (const [number, alike] of around) {
    if (number <= from.sequence && alike.slice(1).some(isWithin)) return true;
    if (number < until.sequence) continue;
    const ofEarlier = alike.slice(0, -1);
    if (ofEarlier.some((event) => isWithin(event) && event.momentMs < until.momentMs)) return true;
  }
  return false;
}

/** Whether another load that was at the same number may have gone on to `until`. */
function mayBeOfAnother(from: PlayerEvent, until: PlayerEvent, around: ByNumber): boolean {
  const isEarlier = ({ momentMs }: PlayerEvent) => momentMs < until.momentMs;
  const others: PlayerEvent[] = [];
  for (let number = from.sequence; number < until.sequence; number += 1) {
    const alike = (around.get(number) ?? []).filter((other) => other !== from && isEarlier(other));
    // A response after `from` may be of the same load.
    const isSame = number === from.sequence;
    others.push(...alike.filter(({ state }) => isSame || state !== 'untimed'));
  }
  others.sort((one, other) => one.momentMs - other.momentMs);
  const certainMs = from.momentMs - bearingMs + longestIntervalMs;
  // Each earlier event with the number of `until` belongs to one of them: let it be the oldest.
  // One so early that this may be out of sight does not help.
  for (const next of (around.get(until.sequence) ?? []).filter(isEarlier)) {
    if (next.momentMs < certainMs) continue;
    if (others[0] && others[0].momentMs < next.momentMs) others.shift();
  }
  return others.some(({ state, momentMs }) => {
    const mayLieBackMs = state === 'untimed' ? bearingMs : longestIntervalMs;
    return until.momentMs - momentMs <= mayLieBackMs;
  });
}

/** Whether any of these, in order, is between the two, both included. */
function hasBetween(inOrder: readonly number[], least: number, most: number): boolean {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((inOrder[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  const found = inOrder[low];
  return found !== undefined && found <= most;
}
