import { type SumName, sumNames } from '../../store/facts.ts';
import { type Labels, type MeasureName, measures } from '../../vocabulary/statistics.ts';

export type Sums = { readonly [name in SumName]: number };

/** One row of an answer before it is formatted. */
export interface LabelledSums {
  readonly labels: Labels;
  readonly sums: Sums;
}

export const noSums = Object.fromEntries(sumNames.map((name) => [name, 0])) as Sums;

/** A measure in its unit, rounded down. */
export function measured(name: MeasureName, sums: Sums): number {
  const { sum, perUnit } = measures[name];
  return Math.floor(sums[sum] / perUnit);
}
