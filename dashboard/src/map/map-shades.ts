/** How a country is shaded: by its share of the whole, or by its value where that is an average. */

export interface Shades {
  /** Where the second shade begins, and each further one. */
  readonly steps: readonly number[];
  readonly isOfShares: boolean;
}

/** The same for every answer: a map of one month can be compared with that of another. */
const shareSteps = [0.01, 0.05, 0.1, 0.25];
/** From the smallest to the largest average. */
const partsOfSpan = [0.2, 0.4, 0.6, 0.8];

export function shadesOfShares(): Shades {
  return { steps: shareSteps, isOfShares: true };
}

export function shadesOfValues(values: readonly number[]): Shades {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const steps = most > least ? partsOfSpan.map((part) => least + part * (most - least)) : [];
  return { steps, isOfShares: false };
}

/** 0 is that of nothing; undefined: nothing is known. */
export function shadeOf(
  amount: number | null | undefined,
  { steps, isOfShares }: Shades,
): number | undefined {
  if (amount === null || amount === undefined) return undefined;
  return amount === 0 && isOfShares ? 0 : 1 + steps.filter((step) => amount >= step).length;
}
