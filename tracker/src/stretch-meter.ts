/**
 * Measures how long the media really advanced. It trusts no event: every sight of the element
 * compares the way of the media with the way of the clock, and the shorter of the two counts.
 * So neither a stall nobody announced, nor a laptop's sleep, nor a throttled tab can add or lose
 * time. Pure: the clock and the element come in as sights.
 */

/** One look at the media element. */
export interface Sight {
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: number;
  /** Milliseconds since the epoch by the device's clock, which may be wrong. */
  readonly dateMs: number;
  /** Seconds into the media. */
  readonly position: number;
  readonly rate: number;
  /** There, and neither paused, nor seeking, nor ended. */
  readonly playing: boolean;
}

/** An uninterrupted run of the media advancing. The meter hands out one object per stretch. */
export interface Stretch {
  /** When it began, by the device's clock. */
  startedAtMs: number;
  playMs: number;
}

interface Run {
  readonly stretch: Stretch;
  sinceMs: number;
  position: number;
  rate: number;
  playMs: number;
}

export interface StretchMeter {
  /** `cut` ends the stretch here, `due` reports it without waiting for the next heartbeat. */
  look(sight: Sight, cut?: boolean, due?: boolean): void;
}

/** A stretch this far behind the clock was interrupted. Less is jitter, left out of the time. */
const interruptionMs = 1000;

/** Far below the 24 hours that the server takes, so that a radio playing for days is counted. */
const longestStretchMs = 3_600_000;

export function createStretchMeter(
  heartbeatMs: number,
  report: (stretch: Stretch) => void,
): StretchMeter {
  let run: Run | undefined;

  return {
    look(sight, cut = false, due = false) {
      if (run) {
        const over = advance(run, sight) || cut || !sight.playing;
        const playMs = Math.floor(run.playMs);
        const news = playMs - run.stretch.playMs;
        if (news > 0 && (over || due || !run.stretch.playMs || news >= heartbeatMs)) {
          run.stretch.playMs = playMs;
          report(run.stretch);
        }
        if (over) run = undefined;
      }
      // Only where the media may begin to advance: a stretch exists once it has.
      if (!run && sight.playing) run = startRun(sight);
    },
  };
}

function startRun({ monotonicMs, dateMs, position, rate }: Sight): Run {
  const stretch = { startedAtMs: dateMs, playMs: 0 };
  return { stretch, sinceMs: monotonicMs, position, rate, playMs: 0 };
}

/** Advances a run to a new sight; returns whether the run was interrupted on the way. */
function advance(run: Run, { monotonicMs, dateMs, position, rate }: Sight): boolean {
  // Played backwards, both way and rate are negative. At rate 0 this is NaN: no advance.
  const stepMs = ((position - run.position) * 1000) / run.rate;
  if (!run.playMs) {
    // The media began to advance somewhere since the last sight: just long enough ago.
    run.sinceMs = Math.max(run.sinceMs, monotonicMs - (stepMs > 0 ? stepMs : 0));
    run.stretch.startedAtMs = dateMs - (monotonicMs - run.sinceMs);
  }
  const wallMs = monotonicMs - run.sinceMs;
  // Invariant: never more than the clock. Bounding the sum, not each step, keeps jitter between
  // the two clocks from adding up.
  if (stepMs > 0) run.playMs = Math.min(run.playMs + stepMs, wallMs);
  run.position = position;
  run.rate = rate;
  return stepMs < 0 || wallMs - run.playMs > interruptionMs || run.playMs > longestStretchMs;
}
