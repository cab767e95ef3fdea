import { BoundedCache } from './bounded-cache.ts';
import type { ChangeWatch } from './change-watch.ts';

/** A bounded cache that is empty again after every change in the catalog. */
export interface WatchedCache<Key, Value> {
  /** To be called before `get`; what is read from the database after it may be `set`. */
  refresh(): Promise<number>;
  get(key: Key): Value | undefined;
  /** Does nothing where a change came in since that generation: the value may be older. */
  set(generation: number, key: Key, value: Value): void;
}

export function createWatchedCache<Key, Value>(
  watch: ChangeWatch,
  entryLimit: number,
): WatchedCache<Key, Value> {
  const entries = new BoundedCache<Key, Value>(entryLimit);
  let heldGeneration = -1;
  return {
    async refresh() {
      const generation = await watch.generation();
      if (generation !== heldGeneration) entries.clear();
      heldGeneration = generation;
      return generation;
    },
    get: (key) => entries.get(key),
    set(generation, key, value) {
      const isCurrent = generation === heldGeneration && generation === watch.lastGeneration();
      if (isCurrent) entries.set(key, value);
    },
  };
}
