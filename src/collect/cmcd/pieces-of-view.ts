import type { PlayerEvent } from '../../facts/facts.ts';

/** Playing between two events of one view. */
export interface Piece {
  readonly from: PlayerEvent;
  readonly until: PlayerEvent;
}

/**
 * The longest time between two events that is believed. A device that sleeps sends nothing, and its
 * next event follows the last: without a bound the night would count.
 */
export const longestIntervalMs = 90_000;
/** A response is told with the instant of its request, which was at most so long before. */
const longestResponseMs = 120_000;
/** How far from an event those may lie that make a piece with it. */
export const reachMs = longestIntervalMs + longestResponseMs;

/**
 * The playing that a view's events prove: from one that says it plays to the next, where no number
 * between the two is missing. Each piece stands on its two events alone, so that any order of
 * arrival and any repetition gives the same pieces.
 */
export function piecesOf(events: readonly PlayerEvent[]): Piece[] {
  const untimed = new Set<number>();
  const timed: PlayerEvent[] = [];
  for (const event of events) {
    if (event.state === 'untimed') untimed.add(event.sequence);
    else if (event.state !== 'counted') timed.push(event);
  }
  // By time before number: players that load again count from 0 again, under the same session.
  timed.sort((one, other) => one.momentMs - other.momentMs || one.sequence - other.sequence);
  return timed.flatMap((from, index) => {
    const until = timed[index + 1];
    if (until === undefined || from.state !== 'playing') return [];
    const playMs = until.momentMs - from.momentMs;
    const isBelieved = playMs > 0 && playMs <= longestIntervalMs;
    return isBelieved && isUnbroken(from.sequence, until.sequence, untimed)
      ? [{ from, until }]
      : [];
  });
}

function isUnbroken(from: number, until: number, untimed: ReadonlySet<number>): boolean {
  if (until <= from || until - from > untimed.size + 1) return false;
  for (let between = from + 1; between < until; between += 1) {
    if (!untimed.has(between)) return false;
  }
  return true;
}
