import { LRUCache } from 'lru-cache';
import type { ChangeWatch } from './change-watch.ts';

/** A bounded cache that is emptied by every change in the catalog. */
export interface WatchedCache<Key extends {}, Value extends {}> {
  /**
   * Await it before `get`; values read from the database after it may be `set`. Rarely a promise.
   */
  refresh(): Promise<number> | number;
  get(key: Key): Value | undefined;
  /** Does nothing if a change came in since that generation: the value may be outdated. */
  set(generation: number, key: Key, value: Value): void;
}

export function createWatchedCache<Key extends {}, Value extends {}>(
  watch: ChangeWatch,
  entryLimit: number,
): WatchedCache<Key, Value> {
  // Made at its first use: a catalog of one actor, for one request, caches nothing.
  let entries: LRUCache<Key, Value> | undefined;
  let heldGeneration = -1;
  const hold = (generation: number): number => {
    if (generation !== heldGeneration) entries?.clear();
    heldGeneration = generation;
    return generation;
  };
  return {
    refresh() {
      const generation = watch.generation();
      return typeof generation === 'number' ? hold(generation) : generation.then(hold);
    },
    get: (key) => entries?.get(key),
    set(generation, key, value) {
      const isCurrent = generation === heldGeneration && generation === watch.lastGeneration();
      if (!isCurrent) return;
      entries ??= new LRUCache({ max: entryLimit });
      entries.set(key, value);
    },
  };
}
