/**
 * Measures how long the viewer waits for the media: at the start, at a stall, at a seek, after an
 * error. A wait ends where the stretch meter saw the media advance, so that the two never overlap.
 */
import type { Sight } from './stretch-meter.ts';

type Outcome = 'waiting' | 'left' | 'failed' | 'played';

/** A run of waiting for the media. The meter hands out one object per wait. */
export interface Wait {
  /** When it began: milliseconds of the device's clock, until it is sent. */
  at: number | string;
  /** Without the time in which the viewer had paused. */
  waitMs: number;
  cause: 'start' | 'stall' | 'seek' | 'error';
  outcome: Outcome;
  /** A short code of the player's, where it failed. */
  error?: string | undefined;
  /** Of stretches alone. */
  readonly playMs?: undefined;
}

export interface WaitMeter {
  /**
   * `sinceMs` is since when the media has advanced, if it does. `leaving`: the viewer may not come
   * back.
   */
  look(sight: Sight, sinceMs: number | undefined, leaving?: boolean): void;
}

/** Players announce shorter ones which nobody sees. */
const shortestStallMs = 100;

/** Whoever looks for a scene seeks several times: that is one wait. */
const sameSeekMs = 1000;

/** The server takes no longer one. */
const longestWaitMs = 3_600_000;

/** Of the outcomes of a wait, the later one holds. */
export function rankOf(outcome: Outcome | undefined): number {
  return 'waiting left failed played'.indexOf(outcome as string);
}

export function createWaitMeter(heartbeatMs: number, report: (wait: Wait) => void): WaitMeter {
  let wait: Wait;
  let isOpen: boolean | undefined;
  /** Nothing of what is loaded has played yet. */
  let isIdle: boolean | undefined;
  /** Of the wait, not rounded. */
  let waitedMs: number;
  let endedMs: number;
  /** When it was last looked at; undefined if the time since then is no waiting. */
  let lastMs: number | undefined;

  function tell(known: Wait, outcome: Outcome, news: number) {
    const isLater = rankOf(outcome) > rankOf(known.outcome);
    if (isLater) known.outcome = outcome;
    if (known.cause === 'stall' && waitedMs < shortestStallMs && !known.error) return;
    const newsMs = Math.min(Math.floor(waitedMs), longestWaitMs) - known.waitMs;
    if (newsMs >= news || isLater) {
      known.waitMs += newsMs;
      report(known);
    }
  }

  return {
    look(sight, sinceMs, leaving) {
      const { monotonicMs, sought, error } = sight;
      // Browsers pause what a fatal error ends while it plays.
      const wanted = sight.wanted || (error && lastMs);
      // What plays when it is first looked at was started at an unknown time.
      isIdle =
        sinceMs === undefined && (sight.empty || (isIdle === undefined ? !sight.playing : isIdle));
      if (isOpen) {
        waitedMs +=
          Math.max((sinceMs === undefined ? monotonicMs : sinceMs) - (lastMs as number), 0) || 0;
        if (sinceMs !== undefined) {
          isOpen = false;
          endedMs = monotonicMs;
          tell(wait, 'played', 1);
        }
        // The browser has not let it.
        if (!wanted && sight.byItself) isOpen = false;
      }
      const cause =
        (isIdle && 'start') ||
        (sought && 'seek') ||
        (sight.dry && 'stall') ||
        (error && !sight.playing && 'error');
      if (!isOpen && wanted && cause) {
        isOpen = true;
        if (
          !wait ||
          cause !== 'seek' ||
          wait.cause !== cause ||
          monotonicMs - endedMs > sameSeekMs
        ) {
          wait = { at: sight.dateMs, waitMs: 0, cause, outcome: 'waiting' };
          waitedMs = 0;
        }
      }
      if (isOpen) {
        if (error) wait.error = error;
        tell(wait, error ? 'failed' : leaving ? 'left' : 'waiting', leaving ? 1 : heartbeatMs);
      }
      lastMs = wanted && !error ? monotonicMs : undefined;
    },
  };
}
