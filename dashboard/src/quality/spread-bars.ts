/** The buckets of a distribution as bars: those that hold something, and where values stand among them. */
import type { DistributionBucket } from '../../../client/src/index.ts';

/** Fewer would be broad blocks. */
const leastBars = 12;

/** From one empty bucket before the first that holds something to one behind the last, or more. */
export function shownBuckets(list: readonly DistributionBucket[]): readonly DistributionBucket[] {
  const holds = ({ views }: DistributionBucket) => views > 0;
  const [first, last] = [list.findIndex(holds), list.findLastIndex(holds)];
  if (first < 0) return [];
  const besides = Math.max(1, Math.ceil((leastBars - (last - first + 1)) / 2));
  return list.slice(Math.max(0, first - besides), last + besides + 1);
}

/** Bars are as wide as each other, though each begins at 1.26 times the one before: in bars from the left. */
export function placeOf(value: number, buckets: readonly DistributionBucket[]): number {
  const index = buckets.findIndex(({ to }) => to === null || value < to);
  const bucket = buckets[index];
  if (bucket === undefined) return buckets.length;
  const { from, to } = bucket;
  if (to === null) return index;
  const isLinear = from === 0;
  const part = isLinear ? value / to : Math.log(value / from) / Math.log(to / from);
  return index + Math.max(0, part);
}

/** Where an axis has its labels: at about 1, 2 and 5 of each power of ten, which are written round. */
export function roundValue({ from }: DistributionBucket): number | undefined {
  const round = Number(from.toPrecision(1));
  const digit = Number(String(round)[0]);
  return [1, 2, 5].includes(digit) && Math.abs(round / from - 1) < 0.01 ? round : undefined;
}
