import type { DimensionName } from '../wire/statistics.ts';

/** One row of an answer before it is shown. */
export interface Sum {
  readonly labels: { readonly [label in DimensionName]?: string };
  readonly plays: number;
  readonly playMs: number;
}
