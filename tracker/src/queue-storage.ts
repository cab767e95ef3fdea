/**
 * Keeps the queue over reloads. Every page writes under a key of its own, so that two tabs never
 * write over each other; a later page adopts what it finds. Where a page still lives, a beacon is
 * then sent twice, which changes nothing. Without storage (private mode) nothing is kept.
 */
import type { Beacon } from '../../client/src/sender/beacon.ts';
import { guard } from '../../client/src/sender/guard.ts';
import { listToJson } from '../../client/src/sender/list-to-json.ts';
import type { Store } from '../../client/src/sender/sender.ts';
import { createViewId } from './view-id.ts';

/** `open` may throw: in a sandboxed frame even naming localStorage does. */
export function createQueueStorage(endpoint: string, open: () => Storage): Store {
  const prefix = `playmeter ${endpoint} `;
  const own = prefix + createViewId();

  return {
    keep: guard((beacons) => {
      if (beacons[0]) open().setItem(own, listToJson(beacons));
      else open().removeItem(own);
    }),
    adopt: guard((take) => {
      const storage = open();
      for (const key in storage) {
        if (key.startsWith(prefix) && key !== own) {
          const text = storage.getItem(key) as string;
          guard(() => {
            // Storage belongs to the whole origin: others may have written into it.
            take(JSON.parse(text).filter(({ view, at }: Beacon) => view && +new Date(at)));
          })();
          // Written again meanwhile: its page lives, and the newer state is its own to send.
          if (storage.getItem(key) === text) storage.removeItem(key);
        }
      }
    }),
  };
}
