/** What is usual for a day: most of what the same weekday had in the weeks before. */
import { addDays } from '../calendar.ts';
import type { TimePoint } from '../charts/time-chart.tsx';

export const weeksBefore = 8;
/** Fewer days say nothing of what is usual. */
const leastWeeks = 4;
const [low, high] = [0.1, 0.9];

/**
 * The 10th and 90th percentiles; undefined where fewer than four weeks are known. Days before the
 * first one that has anything are not known: nothing was counted yet.
 */
export function usualBand(
  day: string,
  values: ReadonlyMap<string, number | null>,
): TimePoint['usual'] {
  const first = [...values].find(([, value]) => value !== null && value !== 0)?.[0];
  if (first === undefined) return undefined;
  const days = Array.from({ length: weeksBefore }, (_, week) => addDays(day, -7 * (week + 1)));
  const known = days
    .filter((one) => one >= first)
    .flatMap((one) => values.get(one) ?? [])
    .sort((one, other) => one - other);
  if (known.length < leastWeeks) return undefined;
  return [quantile(known, low), quantile(known, high)];
}

/** Of sorted values, linear between the two nearest. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}
