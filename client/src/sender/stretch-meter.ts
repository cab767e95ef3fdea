/**
 * Measures how long the media really advanced. It trusts no event: every sight of the element
 * compares how far the media advanced with how far the clock did, and the smaller counts. So
 * neither a stall nobody announced, nor a laptop's sleep, nor a throttled tab can add or lose
 * time. Pure: the clock and the element come in as sights.
 */

/** One look at the media element. */
export interface Sight {
  /** Milliseconds of a clock that never jumps. */
  readonly monotonicMs: number;
  /** Milliseconds since the epoch by the device's clock, which may be wrong. */
  readonly dateMs: number;
  /** How far into the media. */
  readonly mediaSeconds: number;
  /** 1 is the media's own pace; negative backwards. */
  readonly rate: number;
  /** A live stream has no end. */
  readonly hasEnd: boolean;
  /** After so much it comes round and plays on; 0 if it does not. */
  readonly loopSeconds: number;
  /** There, and neither paused, nor seeking, nor ended, nor at rate 0, nor held. */
  playing: boolean;
  /** The viewer wants it to play, and it plays, or waits. Undefined if waits are not to be told. */
  wanted?: boolean | undefined;
  /** If it is to play, then by itself: nobody has asked for it. */
  readonly byItself?: unknown;
  /** The viewer has jumped. */
  readonly sought?: boolean | undefined;
  /** No sign that it plays: the event of a seek that is over may still come. */
  readonly early?: boolean;
  /** The media ran dry. */
  readonly dry?: boolean | undefined;
  /** Nothing is loaded. */
  readonly empty?: boolean;
  /** Code of the fatal error that there is. */
  readonly error?: string | undefined;
  /** Bits per second of what is rendered. */
  readonly bitrate?: number | undefined;
  /** Shown and dropped, since the media was loaded. */
  readonly frames?: number | undefined;
  readonly droppedFrames?: number | undefined;
}

/** An uninterrupted run of the media advancing. The meter hands out one object per stretch. */
export interface Stretch {
  /** When it began: milliseconds of the device's clock, until it is sent. */
  at: number | string;
  /** Where in the media it began; undefined in a live stream. */
  position?: number | undefined;
  playMs: number;
  /** How far the media has advanced, in a loop each time round; played backwards 0. */
  mediaMs: number;
  /** Of the media played so far, where its bitrate is known. */
  mediaBits?: number;
  /** Of a picture, dropped ones included. */
  frames?: number;
  droppedFrames?: number;
  /** Of waits alone. */
  readonly waitMs?: undefined;
  readonly outcome?: undefined;
}

export interface StretchMeter {
  /**
   * `cut` ends the stretch here, `due` reports it without waiting for the next heartbeat. Gives
   * since when the media has advanced, if it does: by the monotonic clock.
   */
  look(sight: Sight, cut?: boolean, due?: boolean): number | undefined;
}

/** A stretch this far off the clock was interrupted, or jumped. Less is jitter. */
const interruptionMs = 1000;

/**
 * Where a loop comes round, players stand still for a moment. So much of it counts as played, and
 * what is longer makes no interruption: either would cut a short clip to pieces.
 */
const seamOfLoopMs = 250;
const interruptionOfLoopMs = 10_000;

/** A longer time between two looks was a sleep, in which no loop came round. */
const longestLookMs = 10_000;

/** Far below the 24 hours that the server takes, so that a radio playing for days is counted. */
const longestStretchMs = 3_600_000;

export function createStretchMeter(
  heartbeatMs: number,
  report: (stretch: Stretch) => void,
): StretchMeter {
  let stretch: Stretch | undefined;
  /** The sight before, and from when the stretch is measured. */
  let last: Sight;
  let sinceMs: number;
  let first: Sight;
  /** Of the stretch, not rounded. */
  let playedMs: number;
  let advancedMs: number;
  let bits: number;

  /** Advances the stretch to a new sight; returns whether it was interrupted on the way. */
  function advance(run: Stretch, sight: Sight): boolean {
    const { monotonicMs, hasEnd } = sight;
    // Played backwards, both way and rate are negative.
    let wayMs = ((sight.mediaSeconds - last.mediaSeconds) * 1000) / last.rate;
    const lookMs = monotonicMs - last.monotonicMs;
    const loopMs = (sight.loopSeconds * 1000) / last.rate;
    const seamMs = loopMs > 0 ? seamOfLoopMs : 0;
    const wentBack = wayMs < 0;
    if (wentBack && seamMs && lookMs < longestLookMs) {
      // How often it came round, the clock tells; a quarter is left to jitter.
      wayMs += loopMs * Math.floor((lookMs - wayMs) / loopMs + 0.25) + seamMs;
    }
    // A stretch of a loop may be behind the clock; no seek makes up for that.
    const stepMs = Math.max(seamMs ? Math.min(wayMs, lookMs + interruptionMs) : wayMs, 0) || 0;
    if (!playedMs) {
      // The media began to advance somewhere since the last sight: just long enough ago.
      sinceMs = Math.max(sinceMs, monotonicMs - stepMs);
      run.at = sight.dateMs - monotonicMs + sinceMs;
      if (hasEnd) run.position = Math.max(0, Math.round(last.mediaSeconds * 1000));
    }
    const aheadMs = playedMs + stepMs - monotonicMs + sinceMs - seamMs;
    // Invariant: no more is reported than the clock says. Bounding the sum, not each step, keeps jitter between
    // the two clocks from adding up.
    const countedMs = stepMs - Math.max(aheadMs, 0);
    playedMs += countedMs;
    const wayCountedMs = countedMs * Math.max(last.rate, 0);
    advancedMs += wayCountedMs;
    bits += (wayCountedMs * (last.bitrate || 0)) / 1000;
    return (
      wayMs < 0 ||
      Math.abs(aheadMs) > (seamMs ? interruptionOfLoopMs : interruptionMs) ||
      playedMs > longestStretchMs ||
      // So that the whole clip is known to be seen: from here on, it is one stretch.
      (wentBack && (run.position as number) > interruptionMs) ||
      // At one rate, a part of a stretch is the same part of its way through the media. Without
      // positions that matters little, and players change the rate to keep up with a live stream.
      (hasEnd && sight.rate !== last.rate)
    );
  }

  return {
    look(sight, cut, due) {
      let advancesSinceMs: number | undefined;
      if (stretch) {
        const over = advance(stretch, sight) || cut || !sight.playing;
        const earlyMs = Math.max(playedMs - sight.monotonicMs + sinceMs, 0);
        const newsMs = Math.floor(playedMs - earlyMs) - stretch.playMs;
        if (newsMs > 0 && (over || due || !stretch.playMs || newsMs >= heartbeatMs)) {
          stretch.playMs += newsMs;
          stretch.mediaMs = Math.floor(advancedMs - earlyMs * sight.rate);
          if (bits) stretch.mediaBits = Math.floor(bits);
          // Less, where another source has come; NaN, where the player does not tell.
          const frames = (sight.frames as number) - (first.frames as number);
          if (frames >= (stretch.frames || 1)) {
            stretch.frames = frames;
            stretch.droppedFrames =
              (sight.droppedFrames as number) - (first.droppedFrames as number);
          }
          report(stretch);
        }
        if (playedMs) advancesSinceMs = sinceMs;
        if (over) stretch = undefined;
      }
      // Only where the media may begin to advance: a stretch exists once it has.
      if (!stretch && sight.playing && !sight.early) {
        stretch = { at: 0, playMs: 0, mediaMs: 0 };
        sinceMs = sight.monotonicMs;
        playedMs = advancedMs = bits = 0;
        first = sight;
      }
      last = sight;
      return advancesSinceMs;
    },
  };
}
