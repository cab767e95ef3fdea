/**
 * How far the device's clock is off the server's. Devices are wrong by hours; the server files a
 * play by the hour it began. The answer with the shortest round trip is the most exact.
 */
import type { Clock } from './clock.ts';

export interface ServerClock {
  /** `serverTimeMs` is NaN where the answer lacks it. */
  learn(serverTimeMs: number, roundTripMs: number): void;
  /** Add it to the device's clock; undefined until an answer has come. */
  offsetMs(): number | undefined;
}

/** More than this between the two clocks of the device: someone set its date, or it slept. */
const clockJumpMs = 1000;

/** Without the header the device's clock is all there is, until a better answer comes. */
const unknownRoundTripMs = 1e9;

export function createServerClock(clock: Clock): ServerClock {
  let offsetMs: number;
  let shortestMs: number;
  let bootMs: number;

  const bootNow = () => clock.dateMs() - clock.monotonicMs();
  const isKnown = () => Math.abs(bootNow() - bootMs) < clockJumpMs;

  return {
    learn(serverTimeMs, roundTripMs) {
      const worthMs = serverTimeMs ? roundTripMs : unknownRoundTripMs;
      if (isKnown() && worthMs >= shortestMs) return;
      shortestMs = worthMs;
      offsetMs = serverTimeMs + roundTripMs / 2 - clock.dateMs() || 0;
      bootMs = bootNow();
    },
    offsetMs: () => (isKnown() ? offsetMs : undefined),
  };
}
