/** Chance that repeats: the same seed draws the same. */
export interface Draw {
  /** 0 to 1, 1 excluded. */
  next(): number;
  /** An item, the more often the greater its weight. */
  pick<Item>(items: readonly (readonly [Item, number])[]): Item;
}

/** mulberry32: 32 bits of state, enough for plays that nobody counts on. */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick(items) {
      const total = items.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [item, weight] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      return (items.at(-1) as (typeof items)[number])[0];
    },
  };
}
