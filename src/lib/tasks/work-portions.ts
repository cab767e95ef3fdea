/** Does work in portions, so that no piece of it keeps everything else waiting for long. */
import type { TakeTurn } from './fair-turns.ts';

interface Pace {
  /** Items in a portion. */
  readonly size: number;
  /** Awaited between two portions. */
  readonly takeTurn: TakeTurn;
}

/** Resolves when all is done; where there is only one portion, that is what its work returns. */
export function forPortions<Item>(
  items: readonly Item[],
  pace: Pace,
  work: (portion: readonly Item[], start: number) => Promise<void> | void,
): Promise<void> | void {
  if (items.length > pace.size) return forSeveral(items, pace, work);
  return items.length > 0 ? work(items, 0) : undefined;
}

async function forSeveral<Item>(
  items: readonly Item[],
  { size, takeTurn }: Pace,
  work: (portion: readonly Item[], start: number) => Promise<void> | void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await takeTurn();
    const working = work(items.slice(start, start + size), start);
    if (working) await working;
  }
}

/** Resolves to the results, or returns them if there is only one portion. */
export function mapPortions<Item, Result>(
  items: readonly Item[],
  pace: Pace,
  map: (item: Item) => Result,
): Promise<Result[]> | Result[] {
  return items.length > pace.size ? mapSeveral(items, pace, map) : items.map((item) => map(item));
}

async function mapSeveral<Item, Result>(
  items: readonly Item[],
  pace: Pace,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forSeveral(items, pace, (portion) => {
    for (const item of portion) results.push(map(item));
  });
  return results;
}

/** Items that are sorted or merged before others have their turn. */
const portionItems = 4_000;

/** Sorts many items without keeping everything else waiting; stable, as `sort` is. */
export async function sortPortions<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  takeTurn: TakeTurn,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += portionItems) {
    if (start > 0) await takeTurn();
    runs.push(items.slice(start, start + portionItems).sort(compare));
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [one = [], other = []] = runs.slice(index, index + 2);
      merged.push(await merge(one, other, compare, takeTurn));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (one: Item, other: Item) => number,
  takeTurn: TakeTurn,
): Promise<Item[]> {
  const merged: Item[] = [];
  let at = 0;
  for (const item of one) {
    while (at < other.length && compare(other[at] as Item, item) < 0) {
      merged.push(other[at] as Item);
      at += 1;
    }
    merged.push(item);
    if (merged.length % portionItems === 0) await takeTurn();
  }
  for (; at < other.length; at += 1) merged.push(other[at] as Item);
  return merged;
}
