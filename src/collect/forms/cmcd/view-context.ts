/** What bears on a piece of playing: a window over the events of a view that slides forward. */
import type { PlayerEvent } from '../../../store/facts.ts';

/**
 * The longest time between two events that counts. A device that sleeps sends nothing, and its
 * next event follows the last: without a bound the night would count.
 */
export const longestIntervalMs = 90_000;
/** A response carries the instant of its request, which was at most this long before. */
const longestResponseMs = 120_000;
/** From how long before an event until how long after it others bear on what begins with it. */
export interface Reach {
  readonly beforeMs: number;
  readonly afterMs: number;
}
/** What bears on a piece is from so long before its beginning until the longest interval after. */
const bearingMs = longestIntervalMs + longestResponseMs;
export const reachOfPiece: Reach = { beforeMs: bearingMs, afterMs: longestIntervalMs };
/**
 * A wait is followed for so long. Its reach is as wide as that of a piece, so the same read of the
 * log has all that bears on it.
 */
export const reachOfWait: Reach = { beforeMs: longestIntervalMs, afterMs: bearingMs };
/** How far from a reported event those may lie that bear on the same piece. */
export const reachMs = bearingMs + longestIntervalMs;
/**
 * Events times those of them that play, all within five minutes. A player that reports each second
 * stays below, also if it loads again; strangers would have each piece compared with thousands.
 */
const mostComparisons = 100_000;

/** The events of a view, and which of them were reported just now. */
export interface ReportedView {
  /** By time. */
  readonly inOrder: readonly PlayerEvent[];
  readonly isReported: (event: PlayerEvent) => boolean;
  /** Whether it came with an earlier request. */
  readonly wasKnown: (event: PlayerEvent) => boolean;
  /** Whether one that was reported bears on what begins with this event. */
  readonly isNear: (from: PlayerEvent, reach: Reach) => boolean;
}

export function orderView(
  reported: readonly PlayerEvent[],
  events: readonly PlayerEvent[],
): ReportedView {
  const inOrder = events
    .filter(({ state }) => state !== 'counted')
    .sort((one, other) => one.momentMs - other.momentMs);
  const reportedMs = reported.map(({ momentMs }) => momentMs).sort((one, other) => one - other);
  // Looked up and not searched: a request may have a thousand events, and their view many more.
  const numbers = Map.groupBy(reported, ({ sequence }) => sequence);
  const isReported = ({ sequence, momentMs }: PlayerEvent) =>
    numbers.get(sequence)?.some((one) => one.momentMs === momentMs) ?? false;
  const nowMs = reported[0]?.arrivalMs ?? 0;
  return {
    inOrder,
    isReported,
    // What is sent again after a crash was stored, but perhaps nothing was made of it.
    wasKnown: (event) => event.arrivalMs < nowMs && !isReported(event),
    isNear: ({ momentMs }, { beforeMs, afterMs }) =>
      hasBetween(reportedMs, momentMs - beforeMs, momentMs + afterMs),
  };
}

/** At first around nothing: to be moved to one event after the other, in order of time. */
export interface ViewContext {
  moveTo(from: PlayerEvent): void;
  /** How many events there are. */
  known(): number;
  /** Whether two of them share a number. */
  isMixed(): boolean;
  /** Whether they are mixed and too many to be a player's. Once they are, they stay so. */
  areCrowded(): boolean;
  /** Whether those that were known before were mixed or crowded already. */
  wereMixed(): boolean;
  wereCrowded(): boolean;
  /** Those with a number, in order of time. */
  alike(number: number): PlayerEvent[];
  /** The same where they are not mixed. */
  only(number: number): PlayerEvent | undefined;
  /** Whether the one at this place, of all in order, is the earliest here with its number. */
  isFirst(place: number): boolean;
  /** The same for the latest. */
  isLast(place: number): boolean;
}

export function readViewContext({ inOrder, wasKnown }: ReportedView, reach: Reach): ViewContext {
  const { before, after } = linkAlike(inOrder);
  const all = createTally();
  const earlier = createTally();
  const firstPlaces = new Map<number, number>();
  let first = 0;
  let end = 0;
  const isWithin = (place: number | undefined): place is number =>
    place !== undefined && place >= first && place < end;
  const enter = (event: PlayerEvent): void => {
    all.add(event);
    if (wasKnown(event)) earlier.add(event);
    if (!firstPlaces.has(event.sequence)) firstPlaces.set(event.sequence, end);
    end += 1;
  };
  const leave = (event: PlayerEvent): void => {
    all.remove(event);
    if (wasKnown(event)) earlier.remove(event);
    const next = after[first];
    if (isWithin(next)) firstPlaces.set(event.sequence, next);
    else firstPlaces.delete(event.sequence);
    first += 1;
  };
  return {
    moveTo(from) {
      const isSooner = ({ momentMs }: PlayerEvent) => momentMs < from.momentMs - reach.beforeMs;
      const isLater = ({ momentMs }: PlayerEvent) => momentMs > from.momentMs + reach.afterMs;
      for (let event = inOrder[end]; event && !isLater(event); event = inOrder[end]) enter(event);
      for (let event = inOrder[first]; event && isSooner(event); event = inOrder[first]) {
        leave(event);
      }
    },
    known: () => end - first,
    isMixed: all.isMixed,
    areCrowded: all.isCrowded,
    wereMixed: earlier.isMixed,
    wereCrowded: earlier.isCrowded,
    alike(number) {
      const found: PlayerEvent[] = [];
      let place = firstPlaces.get(number);
      while (isWithin(place)) {
        found.push(inOrder[place] as PlayerEvent);
        place = after[place];
      }
      return found;
    },
    only(number) {
      const place = firstPlaces.get(number);
      return place === undefined ? undefined : inOrder[place];
    },
    isFirst: (place) => !isWithin(before[place]),
    isLast: (place) => !isWithin(after[place]),
  };
}

/** For each place that of the event before and after with the same number; -1: none. */
function linkAlike(inOrder: readonly PlayerEvent[]) {
  const before = new Int32Array(inOrder.length).fill(-1);
  const after = new Int32Array(inOrder.length).fill(-1);
  const last = new Map<number, number>();
  inOrder.forEach(({ sequence }, place) => {
    const earlier = last.get(sequence);
    if (earlier !== undefined) {
      before[place] = earlier;
      after[earlier] = place;
    }
    last.set(sequence, place);
  });
  return { before, after };
}

function createTally() {
  const counts = new Map<number, number>();
  let events = 0;
  let playing = 0;
  const isMixed = () => counts.size < events;
  return {
    add({ sequence, state }: PlayerEvent): void {
      counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
      events += 1;
      if (state === 'playing') playing += 1;
    },
    remove({ sequence, state }: PlayerEvent): void {
      const count = counts.get(sequence) ?? 0;
      if (count > 1) counts.set(sequence, count - 1);
      else counts.delete(sequence);
      events -= 1;
      if (state === 'playing') playing -= 1;
    },
    isMixed,
    isCrowded: () => isMixed() && playing * events > mostComparisons,
  };
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
