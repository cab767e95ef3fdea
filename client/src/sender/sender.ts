/** Brings beacons to the server: corrected, in batches, again until they are acknowledged. */
import type { Beacon, Platform } from './beacon.ts';
import { type Clock, systemClock } from './clock.ts';
import { guard } from './guard.ts';
import { createQueue } from './queue.ts';
import { send, type Transport } from './send.ts';
import { createServerClock } from './server-clock.ts';

/** Keeps the queue over the end of the program. */
export interface Store {
  /** Replaces what this sender kept. */
  keep(beacons: readonly Beacon[]): void;
  /** Hands over what others left; `take` has kept it when it returns. */
  adopt(take: (beacons: Beacon[]) => void): void;
}

export interface SenderOptions extends Transport {
  readonly store: Store;
  readonly clock?: Clock;
  /** Said in all beacons of this sender. None leaves before it is known, or has failed. */
  readonly platform: Platform | Promise<Platform>;
}

export interface Sender {
  readonly clock: Clock;
  put(beacon: Beacon): void;
  /** Sends what waits, unless the server asked for a pause. `leaving`: there may be no later. */
  flush(leaving: boolean | undefined): void;
  /** The network is said to be back. */
  online(): void;
}

export function createSender(options: SenderOptions): Sender {
  const { store, clock = systemClock, platform } = options;
  const serverClock = createServerClock(clock);
  const queue = createQueue(clock);
  /**
   * The batch of the newest request under way. Of an older one the answer may never come: Firefox
   * gives none to a page that is back from its back-forward cache.
   */
  let inFlight: Beacon[] | undefined;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Invariant: the same in all beacons of a view, or it would be a play of two systems.
  let known: Platform | undefined;
  const keep = () => store.keep(queue.all());
  const put = (beacon: Beacon) => {
    queue.put(beacon);
    keep();
  };

  const attempt = guard(() => {
    clearTimeout(timer);
    timer = undefined;
    const offsetMs = serverClock.offsetMs();
    // No beacon leaves before the clock is known: an empty batch asks for it.
    let batch: Beacon[] = [];
    if (offsetMs !== undefined) {
      batch = queue.take(offsetMs);
      if (!batch[0]) return;
    }
    keep();
    inFlight = batch;
    send(options, batch, serverClock, clock).then(
      guard((retryAfterMs) => {
        if (inFlight === batch) inFlight = undefined;
        if (retryAfterMs === undefined) {
          failures = 0;
          queue.settle(batch);
          keep();
          if (!inFlight) attempt();
        } else {
          // From half a second, doubling up to some four minutes; with jitter, so that senders do
          // not come back all at once.
          const retryMs = (1 + Math.random()) * 500 * 2 ** Math.min(failures, 8);
          timer = setTimeout(attempt, retryAfterMs + retryMs);
          failures += 1;
        }
      }),
    );
  });

  Promise.resolve(platform)
    .catch(() => ({}))
    .then(
      guard((told) => {
        known = told;
        for (const beacon of queue.all()) Object.assign(beacon, known);
        // Beacons of others come after that, and keep what they have.
        store.adopt((beacons) => beacons.forEach(put));
        attempt();
      }),
    );

  return {
    clock,
    put: (beacon) => put(Object.assign(beacon, known)),
    flush(leaving) {
      if (known && !timer && (leaving || !inFlight)) attempt();
    },
    online() {
      if (failures) attempt();
    },
  };
}
