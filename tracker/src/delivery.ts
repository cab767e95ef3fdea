/** Brings beacons to the server: corrected, in batches, again until they are acknowledged. */
import type { Beacon } from './beacon.ts';
import { guard } from './guard.ts';
import { createQueue } from './queue.ts';
import { createQueueStorage } from './queue-storage.ts';
import { type Answer, send } from './send.ts';
import { createServerClock } from './server-clock.ts';

export interface Delivery {
  put(beacon: Beacon): void;
  /** Sends what waits, unless the server asked for a pause. `leaving`: the page may not return. */
  flush(leaving?: boolean): void;
  /** The network is said to be back. */
  online(): void;
}

const firstRetryMs = 1000;
const longestRetryMs = 300_000;

export function createDelivery(url: string): Delivery {
  const endpoint = `${url.replace(/\/+$/, '')}/collect/v1/beacons`;
  const clock = createServerClock();
  const queue = createQueue();
  const storage = createQueueStorage(endpoint, () => localStorage);
  let inFlight = 0;
  let failures = 0;
  let unreachable = false;
  let complained = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const keep = () => storage.keep(queue.all());

  const attempt = guard(() => {
    clearTimeout(timer);
    timer = undefined;
    const offsetMs = clock.offsetMs();
    // No beacon leaves before the clock is known: an empty batch asks for it.
    const batch = offsetMs === undefined ? [] : queue.take(offsetMs);
    if (offsetMs !== undefined && batch.length === 0) return;
    keep();
    inFlight += 1;
    send(endpoint, batch).then(guard((answer) => settle(batch, answer)));
  });

  function settle(batch: readonly Beacon[], answer: Answer) {
    const { status, rejected } = answer;
    inFlight -= 1;
    unreachable = status === 0;
    if (!unreachable) clock.learn(answer.serverTimeMs, answer.roundTripMs);
    if (unreachable || status === 429 || status >= 500) {
      clearTimeout(timer);
      timer = setTimeout(attempt, answer.retryAfterMs + retryMs(failures));
      failures += 1;
      return;
    }
    // Any other refusal would be repeated for ever: what it refused is given up.
    failures = 0;
    queue.settle(batch);
    keep();
    if (rejected.length > 0 && !complained) {
      complained = true;
      console.debug('playmeter: beacons refused', rejected);
    }
    if (inFlight === 0) attempt();
  }

  storage.adopt((beacons) => {
    for (const beacon of beacons) queue.put(beacon);
    keep();
  });
  attempt();

  return {
    put(beacon) {
      queue.put(beacon);
      keep();
    },
    flush(leaving = false) {
      if (timer === undefined && (leaving || inFlight === 0)) attempt();
    },
    online() {
      if (unreachable) attempt();
    },
  };
}

/** Doubling, with jitter, so that pages do not come back all at once. */
function retryMs(failures: number): number {
  return Math.min(firstRetryMs * 2 ** failures, longestRetryMs) * (0.5 + Math.random() / 2);
}
