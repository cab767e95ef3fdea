import type { TakeTurn } from './fair-turns.ts';

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
