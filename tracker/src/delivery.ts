/** Brings beacons to the server: corrected, in batches, again until they are acknowledged. */
import type { Beacon } from './beacon.ts';
import { guard } from './guard.ts';
import { askPlatform, type Platform } from './platform.ts';
import { createQueue } from './queue.ts';
import { createQueueStorage } from './queue-storage.ts';
import { type Answer, send } from './send.ts';
import { createServerClock } from './server-clock.ts';

export interface Delivery {
  put(beacon: Beacon): void;
  /** Sends what waits, unless the server asked for a pause. `leaving`: the page may not return. */
  flush(leaving: boolean): void;
  /** The network is said to be back. */
  online(): void;
}

/** How long the first beacon waits for the platform. */
const platformLimitMs = 300;

const firstRetryMs = 1000;
const longestRetryMs = 300_000;

export function createDelivery(url: string): Delivery {
  const endpoint = `${url.replace(/\/+$/, '')}/collect/v1/beacons`;
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
    const isClockKnown = offsetMs !== undefined;
    // No beacon leaves before the clock is known: an empty batch asks for it.
    const batch = isClockKnown && platform ? queue.take(offsetMs) : [];
    if (isClockKnown && batch.length === 0) return;
    keep();
    inFlight += 1;
    send(endpoint, batch).then(guard((answer) => settle(batch, answer)));
  });

  function settle(batch: readonly Beacon[], answer: Answer) {
    const { status, rejected } = answer;
    inFlight -= 1;
    if (status) clock.learn(answer.serverTimeMs, answer.roundTripMs);
    if (!status || status === 429 || status >= 500) {
      clearTimeout(timer);
      timer = setTimeout(attempt, answer.retryAfterMs + retryMs(failures));
      failures += 1;
      return;
    }
    // Any other refusal would be repeated for ever: what it refused is given up.
    failures = 0;
    queue.settle(batch);
    keep();
    if (rejected.length > 0) console.debug('playmeter: refused', rejected);
    if (inFlight === 0) attempt();
  }

  const flush = guard((leaving: boolean, known?: Platform) => {
    if (!platform && (leaving || known)) {
      platform = known || {};
      for (const beacon of queue.all()) Object.assign(beacon, platform);
      // Beacons of other pages come after that, and keep what they have.
      storage.adopt((beacons) => beacons.forEach(put));
    }
    if (timer === undefined && (leaving || inFlight === 0)) attempt();
  });

  attempt();
  askPlatform().then((known) => flush(false, known));
  setTimeout(flush, platformLimitMs, false, {});

  return {
    put: (beacon) => put(Object.assign(beacon, platform)),
    flush,
    online() {
      if (failures > 0) attempt();
    },
  };
}

/** Doubling, with jitter, so that pages do not come back all at once. */
function retryMs(failures: number): number {
  return Math.min(firstRetryMs * 2 ** failures, longestRetryMs) * (0.5 + Math.random() / 2);
}
