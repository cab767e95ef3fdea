import type { PlayerEvent } from '../../../store/facts.ts';

/**
 * How long after the first sign of a play its beginning stays open for events that are late. What
 * arrives after that moves nothing any more.
 */
export const beginningMs = 60_000;
/** An event may be on its way into the log for so long after its arrival. */
const writingMs = 20_000;

/** Where the play is counted, if it is. */
export function countedPlayOf(beginning: readonly PlayerEvent[]): number | undefined {
  const moments = beginning
    .filter(({ state }) => state === 'counted')
    .map(({ momentMs }) => momentMs);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/**
 * When the view's one play was, by all that had arrived `beginningMs` after the first sign of a
 * play. Undefined as long as an earlier sign may still come. Those who ask at once may see
 * different parts of it: they agree before they count.
 */
export function playOf(beginning: readonly PlayerEvent[], nowMs: number): number | undefined {
  const countedMs = countedPlayOf(beginning);
  if (countedMs !== undefined) return countedMs;
  const heardMs = beginning
    .filter(isSign)
    .reduce((least, { arrivalMs }) => Math.min(least, arrivalMs), Number.POSITIVE_INFINITY);
  const inTime = beginning.filter(({ arrivalMs }) => arrivalMs <= heardMs + beginningMs);
  const isClosed = nowMs > heardMs + beginningMs + writingMs;
  // What came later moves nothing, but it shows that nothing is missing: also where it only seems
  // to be late, because the clock was set back between the two.
  const isComplete = [inTime, beginning].some((events) => isWhole(events, earliestSign(events)));
  return isClosed || isComplete ? earliestSign(inTime)?.momentMs : undefined;
}

/** Whether an event shows that playback has begun. */
export function isSign({ state }: PlayerEvent): boolean {
  return state === 'playing' || state === 'started';
}

function earliestSign(events: readonly PlayerEvent[]): PlayerEvent | undefined {
  const [first, ...others] = events.filter(isSign);
  return first && others.reduce(earlier, first);
}

function earlier(one: PlayerEvent, other: PlayerEvent): PlayerEvent {
  const byTime = one.momentMs - other.momentMs || one.sequence - other.sequence;
  return byTime <= 0 ? one : other;
}

/** Whether every event up to this one is there: players count from 0. */
function isWhole(beginning: readonly PlayerEvent[], sign: PlayerEvent | undefined): boolean {
  if (sign === undefined) return false;
  const { sequence } = sign;
  const before = new Set(
    beginning.map((event) => event.sequence).filter((other) => other < sequence),
  );
  return before.size === sequence;
}
