/** Beacons not yet acknowledged: one per stretch, the largest; bounded, oldest dropped. */
import type { Beacon } from './beacon.ts';

export interface Queue {
  put(beacon: Beacon): void;
  /** The oldest that fit into one request, their `at` fixed from now on. */
  take(offsetMs: number): Beacon[];
  /** Forgets what was taken, except stretches that have grown since. */
  settle(batch: readonly Beacon[]): void;
  all(): Beacon[];
}

export const queueLimitBeacons = 500;

/** The server takes no older beacon from a page. */
const oldestMs = 48 * 3_600_000;

/** Browsers take 64 KiB of keepalive bodies at a time, and a character is up to 3 bytes. */
export const batchLimitCharacters = 20_000;

export function createQueue(): Queue {
  const waiting = new Map<string, Beacon>();

  return {
    put(beacon) {
      const key = keyOf(beacon);
      const held = waiting.get(key);
      if (held && held.playMs > beacon.playMs) return;
      waiting.set(key, beacon);
      if (waiting.size > queueLimitBeacons) {
        waiting.delete(waiting.keys().next().value as string);
      }
    },
    take(offsetMs) {
      const batch: Beacon[] = [];
      let characters = 0;
      for (const [key, beacon] of waiting) {
        if (typeof beacon.at === 'number') {
          // Fixed in place: whoever holds the beacon goes on sending this same `at`.
          beacon.at = new Date(beacon.at + offsetMs).toISOString();
        }
        if (Date.parse(beacon.at) < Date.now() + offsetMs - oldestMs) {
          waiting.delete(key);
        } else {
          characters += JSON.stringify(beacon).length + 1;
          if (batch.length > 0 && characters > batchLimitCharacters) break;
          batch.push({ ...beacon });
        }
      }
      return batch;
    },
    settle(batch) {
      for (const beacon of batch) {
        const key = keyOf(beacon);
        const held = waiting.get(key);
        if (held && held.playMs === beacon.playMs) waiting.delete(key);
      }
    },
    all: () => [...waiting.values()],
  };
}

function keyOf({ view, stretch }: Beacon): string {
  return `${stretch} ${view}`;
}
