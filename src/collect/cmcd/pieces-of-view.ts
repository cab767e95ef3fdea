import type { PlayerEvent } from '../../facts/facts.ts';

/** Playing between two events of one view. */
export interface Piece {
  readonly from: PlayerEvent;
  readonly until: PlayerEvent;
}

/**
 * The longest time between two events that counts. A device that sleeps sends nothing, and its
 * next event follows the last: without a bound the night would count.
 */
export const longestIntervalMs = 90_000;
/** A response carries the instant of its request, which was at most this long before. */
const longestResponseMs = 120_000;
/**
 * Each event is compared with those of other loads. A view with so many events in a few minutes is
 * no player's, and nothing of it is added: working it out would keep everybody else waiting.
 */
const mostComparisons = 1_000_000;
/** How far from an event those may lie that make a piece with it. */
export const reachMs = longestIntervalMs + longestResponseMs;

/**
 * The playing that a view's events prove: from one that says it plays to the one with the next
 * number. A piece stands on these two alone, so any order of arrival and any repetition gives the
 * same pieces.
 *
 * That holds while a number stands for one event. Players that load again under the same session
 * count from 0 again, and then a piece could join two loads. Such a piece is left out as soon as
 * the events show it; until then nothing does. See docs/decisions/cmcd-events.md.
 */
export function piecesOf(events: readonly PlayerEvent[]): Piece[] {
  const reported = events.filter(({ state }) => state !== 'counted');
  const byNumber = Map.groupBy(reported, ({ sequence }) => sequence);
  for (const alike of byNumber.values()) alike.sort((one, other) => one.momentMs - other.momentMs);
  const ofLaterLoads = [...byNumber.values()].flatMap((alike) => alike.slice(1));
  if (reported.length * Math.max(ofLaterLoads.length, 1) > mostComparisons) return [];
  const ofEarlierLoads = [...byNumber.values()].flatMap((alike) => alike.slice(0, -1));
  return reported.flatMap((from) => {
    if (from.state !== 'playing') return [];
    const until = nextOf(from, byNumber);
    if (until === undefined || until.momentMs - from.momentMs > longestIntervalMs) return [];
    const hasBegunAnew =
      ofLaterLoads.some(
        ({ sequence, momentMs }) =>
          sequence <= from.sequence && momentMs > from.momentMs && momentMs <= until.momentMs,
      ) ||
      ofEarlierLoads.some(
        ({ sequence, momentMs }) =>
          sequence >= until.sequence && momentMs > from.momentMs && momentMs < until.momentMs,
      );
    return hasBegunAnew || mayBeOfAnother(from, until, byNumber) ? [] : [{ from, until }];
  });
}

type ByNumber = ReadonlyMap<number, readonly PlayerEvent[]>;

/** The nearest later event with the next number; a number of responses only is passed over. */
function nextOf(from: PlayerEvent, byNumber: ByNumber): PlayerEvent | undefined {
  for (let number = from.sequence + 1; ; number += 1) {
    const timed = byNumber.get(number)?.filter(({ state }) => state !== 'untimed');
    if (timed === undefined) return undefined;
    if (timed.length > 0) return timed.find(({ momentMs }) => momentMs > from.momentMs);
  }
}

/** Whether a load that was at the same number may have gone on to `until`. */
function mayBeOfAnother(from: PlayerEvent, until: PlayerEvent, byNumber: ByNumber): boolean {
  const isEarlier = ({ momentMs }: PlayerEvent) => momentMs < until.momentMs;
  const others = (byNumber.get(from.sequence) ?? []).filter(
    (other) => other !== from && isEarlier(other),
  );
  // Each earlier event with the number of `until` belongs to one of them: let it be the oldest.
  for (const next of (byNumber.get(until.sequence) ?? []).filter(isEarlier)) {
    if (others[0] && others[0].momentMs < next.momentMs) others.shift();
  }
  return others.some(({ momentMs }) => until.momentMs - momentMs <= longestIntervalMs);
}

/**
 * The pieces that begin, end or are joined by one of these events. TRICKY: not those that another
 * load has under the same numbers at another time: what speaks against them may not be among
 * `events`, which are those within `reachMs` of the reported ones.
 */
export function piecesTouching(
  reported: readonly PlayerEvent[],
  events: readonly PlayerEvent[],
): Piece[] {
  const byNumber = Map.groupBy(reported, ({ sequence }) => sequence);
  return piecesOf(events).filter(({ from, until }) => {
    const isTouching = ({ momentMs }: PlayerEvent) =>
      momentMs <= until.momentMs && until.momentMs - momentMs <= reachMs;
    // Looked up and not searched: a request may have a thousand events, and their view many more.
    for (let number = from.sequence; number <= until.sequence; number += 1) {
      if (byNumber.get(number)?.some(isTouching)) return true;
    }
    return false;
  });
}
