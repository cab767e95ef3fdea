/** Brings beacons to the server: corrected, in batches, again until they are acknowledged. */
import type { Beacon } from './beacon.ts';
import { guard } from './guard.ts';
import { askPlatform, type Platform } from './platform.ts';
import { createQueue } from './queue.ts';
import { createQueueStorage } from './queue-storage.ts';
import { send } from './send.ts';
import { createServerClock } from './server-clock.ts';

export interface Delivery {
  put(beacon: Beacon): void;
  /** Sends what waits, unless the server asked for a pause. `leaving`: the page may not return. */
  flush(leaving: boolean): void;
  /** The network is said to be back. */
  online(): void;
}

/** `url` is absolute. */
export function createDelivery(url: string): Delivery {
  // A path that ends in a file name, and not a host.
  const namesFile = /[^:/]\/[^/]+\.[a-z]+$/i;
  const endpoint = namesFile.test(url) ? url : `${url.replace(/\/+$/, '')}/collect/v1/beacons`;
  const clock = createServerClock();
  const queue = createQueue();
  const storage = createQueueStorage(endpoint, () => localStorage);
  let inFlight = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Invariant: the same in all beacons of a view, or it would be a play of two systems.
  let platform: Platform | undefined;
  const keep = () => storage.keep(queue.all());
  const put = (beacon: Beacon) => {
    queue.put(beacon);
    keep();
  };

  const attempt = guard(() => {
    clearTimeout(timer);
    timer = undefined;
    const offsetMs = clock.offsetMs();
    // No beacon leaves before the clock is known: an empty batch asks for it.
    let batch: Beacon[] = [];
    if (offsetMs !== undefined) {
      batch = queue.take(offsetMs);
      if (!batch[0]) return;
    }
    keep();
    inFlight += 1;
    send(endpoint, batch, clock).then(
      guard((retryAfterMs) => {
        inFlight -= 1;
        if (retryAfterMs === undefined) {
          failures = 0;
          queue.settle(batch);
          keep();
          if (!inFlight) attempt();
        } else {
          // From half a second, doubling up to some four minutes; with jitter, so that pages do not
          // come back all at once.
          const retryMs = (1 + Math.random()) * 500 * 2 ** Math.min(failures, 8);
          timer = setTimeout(attempt, retryAfterMs + retryMs);
          failures += 1;
        }
      }),
    );
  });

  askPlatform().then(
    guard((known) => {
      platform = known;
      for (const beacon of queue.all()) Object.assign(beacon, platform);
      // Beacons of other pages come after that, and keep what they have.
      storage.adopt((beacons) => beacons.forEach(put));
      attempt();
    }),
  );

  return {
    put: (beacon) => put(Object.assign(beacon, platform)),
    flush(leaving) {
      if (platform && !timer && (leaving || !inFlight)) attempt();
    },
    online() {
      if (failures) attempt();
    },
  };
}
