/**
 * How far the device's clock is off the server's. Devices are wrong by hours; the server files a
 * play by the hour it began. The answer with the shortest round trip tells best.
 */
export interface ServerClock {
  /** `serverTimeMs` is NaN where the answer did not tell. */
  learn(serverTimeMs: number, roundTripMs: number): void;
  /** Add it to the device's clock; undefined until an answer has come. */
  offsetMs(): number | undefined;
}

/** More than this between the two clocks of the device: someone set its date, or it slept. */
const clockJumpMs = 1000;

export function createServerClock(): ServerClock {
  let offsetMs = 0;
  let shortestMs: number | undefined;
  let bootMs = 0;

  const bootNow = () => Date.now() - performance.now();
  const known = () => shortestMs !== undefined && Math.abs(bootNow() - bootMs) < clockJumpMs;

  return {
    learn(serverTimeMs, roundTripMs) {
      const told = serverTimeMs > 0;
      // Without the header the device's clock is all there is, until a better answer comes.
      const worthMs = told ? roundTripMs : Number.POSITIVE_INFINITY;
      if (known() && worthMs >= (shortestMs as number)) return;
      shortestMs = worthMs;
      offsetMs = told ? serverTimeMs + roundTripMs / 2 - Date.now() : 0;
      bootMs = bootNow();
    },
    offsetMs: () => (known() ? offsetMs : undefined),
  };
}
