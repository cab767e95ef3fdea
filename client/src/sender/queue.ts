/** Beacons not yet acknowledged: one per stretch or wait, the largest; bounded, oldest dropped. */
import type { Beacon } from './beacon.ts';
import type { Clock } from './clock.ts';
import { rankOf } from './wait-meter.ts';

export interface Queue {
  put(beacon: Beacon): void;
  /** The oldest that fit into one request, their `at` fixed from now on. */
  take(offsetMs: number): Beacon[];
  /** Forgets what was taken, except what has grown since. */
  settle(batch: readonly Beacon[]): void;
  all(): Beacon[];
}

export const queueLimitBeacons = 500;

/** The server takes no older beacon from a page. */
const oldestMs = 48 * 3_600_000;

/**
 * Browsers take 64 KiB of keepalive bodies at a time, a character is up to 3 bytes, and the beacon
 * that goes beyond this limit is still sent.
 */
const batchLimitCharacters = 18_000;

export function createQueue(clock: Clock): Queue {
  const waiting = new Map<string, Beacon>();
  const holdsMore = (beacon: Beacon) => {
    const held = waiting.get(keyOf(beacon));
    return held && sizeOf(held) > sizeOf(beacon);
  };

  return {
    put(beacon) {
      if (holdsMore(beacon)) return;
      waiting.set(keyOf(beacon), beacon);
      const [oldest] = waiting.keys();
      if (waiting.size > queueLimitBeacons) waiting.delete(oldest as string);
    },
    take(offsetMs) {
      const batch: Beacon[] = [];
      for (const [key, beacon] of waiting) {
        // Text once it was sent, and NaN as a number.
        const at = new Date(+beacon.at + offsetMs || beacon.at);
        // Fixed in place: whoever holds the beacon goes on sending this same `at`.
        beacon.at = at.toISOString();
        if (+at < clock.dateMs() + offsetMs - oldestMs) {
          waiting.delete(key);
        } else {
          batch.push({ ...beacon });
          if (JSON.stringify(batch).length > batchLimitCharacters) break;
        }
      }
      return batch;
    },
    settle(batch) {
      for (const beacon of batch) if (!holdsMore(beacon)) waiting.delete(keyOf(beacon));
    },
    all: () => [...waiting.values()],
  };
}

function keyOf({ stretch, wait, videoKey, view }: Beacon): string {
  return `${stretch} ${wait} ${videoKey} ${view}`;
}

/** Grows with each report of the same. */
function sizeOf(beacon: Beacon): number {
  return rankOf(beacon.outcome) + (beacon.playMs || (beacon.waitMs as number));
}
