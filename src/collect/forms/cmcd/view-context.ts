/** What bears on a piece of playing: a window over the events of a view that slides forward. */
import type { PlayerEvent } from '../../../store/facts.ts';

/**
 * The longest time between two events that counts. A device that sleeps sends nothing, and its
 * next event follows the last: without a bound the night would count.
 */
export const longestIntervalMs = 90_000;
/** A response carries the instant of its request, which was at most this long before. */
const longestResponseMs = 120_000;
/** What bears on a piece is from so long before its beginning until the longest interval after. */
export const bearingMs = longestIntervalMs + longestResponseMs;
/** How far from a reported event those may lie that bear on the same piece. */
export const reachMs = bearingMs + longestIntervalMs;
/**
 * Events times those of them that play, all within five minutes. A player that reports each second
 * stays below, also if it loads again; strangers would have each piece compared with thousands.
 */
const mostComparisons = 100_000;

/** At first around nothing: to be moved to one event after the other, in order of time. */
export interface ViewContext {
  moveTo(from: PlayerEvent): void;
  /** How many events there are. */
  known(): number;
  /** Whether two of them share a number. */
  isMixed(): boolean;
  /** Whether they are mixed and too many to be a player's. Once they are, they stay so. */
  areCrowded(): boolean;
  /** Whether those that arrived before `nowMs` were so already. */
  wereCrowded(): boolean;
  /** Those with a number, in order of time. */
  alike(number: number): PlayerEvent[];
  /** Whether the one at this place, of all in order, is the earliest here with its number. */
  isFirst(place: number): boolean;
  /** The same for the latest. */
  isLast(place: number): boolean;
}

/** `inOrder`: all that is known of the view, by time. */
export function readViewContext(inOrder: readonly PlayerEvent[], nowMs: number): ViewContext {
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
    if (event.arrivalMs < nowMs) earlier.add(event);
    if (!firstPlaces.has(event.sequence)) firstPlaces.set(event.sequence, end);
    end += 1;
  };
  const leave = (event: PlayerEvent): void => {
    all.remove(event);
    if (event.arrivalMs < nowMs) earlier.remove(event);
    const next = after[first];
    if (isWithin(next)) firstPlaces.set(event.sequence, next);
    else firstPlaces.delete(event.sequence);
    first += 1;
  };
  return {
    moveTo(from) {
      for (let event = inOrder[end]; event && bearsOn(from, event); event = inOrder[end]) {
        enter(event);
      }
      for (let event = inOrder[first]; event && !bearsOn(from, event); event = inOrder[first]) {
        leave(event);
      }
    },
    known: () => end - first,
    isMixed: all.isMixed,
    areCrowded: all.isCrowded,
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
    isFirst: (place) => !isWithin(before[place]),
    isLast: (place) => !isWithin(after[place]),
  };
}

export function bearsOn(from: PlayerEvent, { momentMs }: PlayerEvent): boolean {
  const afterMs = momentMs - from.momentMs;
  return afterMs >= -bearingMs && afterMs <= longestIntervalMs;
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
