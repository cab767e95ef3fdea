/** Random numbers that a seed repeats (mulberry32). */
export interface Random {
  /** From 0 up to, not including, 1. */
  unit(): number;
  /** A whole number from 0 up to, not including, the bound. */
  below(bound: number): number;
  /** A whole number, both ends included. */
  between(first: number, last: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** Numbers of its own: what one draws from it changes nothing for others. */
  fork(): Random;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(unit() * bound);
  return {
    unit,
    below,
    between: (first, last) => first + below(last - first + 1),
    chance: (probability) => unit() < probability,
    pick<Item>(items: readonly Item[]) {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as Item;
    },
    shuffled(items) {
      const places = items.map((item) => ({ item, place: unit() }));
      return places.sort((one, other) => one.place - other.place).map(({ item }) => item);
    },
    fork: () => seededRandom(below(2 ** 32)),
  };
}
