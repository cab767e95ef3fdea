/** Does work in portions, so that no piece of it keeps everything else waiting for long. */
import type { TakeTurn } from './turns.ts';

interface Pace {
  /** Items in a portion. */
  readonly size: number;
  /** Awaited between two portions. */
  readonly takeTurn: TakeTurn;
}

export async function forPortions<Item>(
  items: readonly Item[],
  { size, takeTurn }: Pace,
  work: (portion: readonly Item[], start: number) => Promise<void> | void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await takeTurn();
    const isAll = items.length <= size;
    const working = work(isAll ? items : items.slice(start, start + size), start);
    if (working) await working;
  }
}

/** Resolves to the results, or returns them if there is only one portion. */
export function mapPortions<Item, Result>(
  items: readonly Item[],
  pace: Pace,
  map: (item: Item) => Result,
): Promise<Result[]> | Result[] {
  const results: Result[] = [];
  const work = (portion: readonly Item[]): void => {
    for (const item of portion) results.push(map(item));
  };
  if (items.length > pace.size) return forPortions(items, pace, work).then(() => results);
  work(items);
  return results;
}
