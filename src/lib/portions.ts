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
  work: (portion: readonly Item[], start: number) => unknown,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await takeTurn();
    await work(items.slice(start, start + size), start);
  }
}

export async function mapPortions<Item, Result>(
  items: readonly Item[],
  pace: Pace,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forPortions(items, pace, (portion) => {
    for (const item of portion) results.push(map(item));
  });
  return results;
}
