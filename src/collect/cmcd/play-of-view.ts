import type { PlayerEvent } from '../../facts/facts.ts';

/**
 * How long after the first sign of a play its beginning stays open for events that are late. What
 * arrives after that moves nothing any more.
 */
export const beginningMs = 60_000;
/** An event may be on its way into the log for so long after its arrival. */
const writingMs = 20_000;

/**
 * When the view's one play was, by the beginning of the view: what had arrived `beginningMs` after
 * the first sign of a play. Undefined as long as an earlier sign may still come. All that ask, at
 * whatever time, get the same instant, so that a play is counted once; where it is counted already
 * that holds, though a clock that was set says something else of the arrivals.
 */
export function playOf(beginning: readonly PlayerEvent[], nowMs: number): number | undefined {
  const counted = beginning.find(({ state }) => state === 'counted');
  if (counted) return counted.momentMs;
  const signs = beginning.filter(({ state }) => state === 'playing' || state === 'started');
  const [first, ...others] = signs;
  if (!first) return undefined;
  const earliest = others.reduce(earlier, first);
  const heardMs = Math.min(...signs.map(({ arrivalMs }) => arrivalMs));
  const isClosed = nowMs > heardMs + beginningMs + writingMs;
  return isClosed || isWhole(beginning, earliest) ? earliest.momentMs : undefined;
}

function earlier(one: PlayerEvent, other: PlayerEvent): PlayerEvent {
  const byTime = one.momentMs - other.momentMs || one.sequence - other.sequence;
  return byTime <= 0 ? one : other;
}

/** Whether every event up to this one is there: players count from 0. */
function isWhole(beginning: readonly PlayerEvent[], { sequence }: PlayerEvent): boolean {
  const before = new Set(
    beginning.map((event) => event.sequence).filter((other) => other < sequence),
  );
  return before.size === sequence;
}
