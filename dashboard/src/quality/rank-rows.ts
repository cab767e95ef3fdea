import type { Measure } from '../measures.ts';
import type { Sort } from '../overview/all-rows-table.tsx';
import type { Row } from '../questions.ts';
import { leastRanked } from './findings.ts';

/** Whether it has attempts enough to say something of the next ones. */
export function isRanked({ attempts }: Row): boolean {
  return attempts === undefined || attempts >= leastRanked;
}

/** In this order; behind them, what has no value, and then what is not ranked, the largest first. */
export function rankRows(rows: readonly Row[], sort: Sort): Row[] {
  const measure = (sort.startsWith('-') ? sort.slice(1) : sort) as Measure;
  const direction = sort.startsWith('-') ? -1 : 1;
  const ranked = rows.filter(isRanked).sort((one, other) => {
    const [left, right] = [one[measure] ?? undefined, other[measure] ?? undefined];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    return direction * (left - right);
  });
  const others = rows.filter((row) => !isRanked(row));
  return [...ranked, ...others.sort((one, other) => (other.attempts ?? 0) - (one.attempts ?? 0))];
}
