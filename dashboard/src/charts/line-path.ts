/** Paths of a chart. Where there is no value, line and area are interrupted. */
export interface Spot {
  readonly x: number;
  /** Null where there is no value. */
  readonly y: number | null;
}

interface CurvePaths {
  readonly area: string;
  readonly line: string;
  /** From the last point but one to one that is not over yet. */
  readonly running?: string;
  /** All that there is. */
  readonly only?: { readonly x: number; readonly y: number };
}

export function spotsOf(
  values: readonly (number | null | undefined)[],
  xOf: (index: number) => number,
  yOf: (value: number) => number,
): Spot[] {
  return values.map((value, index) => ({
    x: xOf(index),
    y: value === null || value === undefined ? null : yOf(value),
  }));
}

/** A curve over time, whose last point may not be over yet. */
export function curvePaths(spots: readonly Spot[], floor: number, isRunning: boolean): CurvePaths {
  const begun = spots.slice(0, spots.findLastIndex(({ y }) => y !== null) + 1);
  const isSplit = isRunning && begun.length > 1;
  const [first] = begun;
  return {
    area: areaPath(spots, floor),
    line: linePath(isSplit ? begun.slice(0, -1) : begun),
    ...(isSplit && { running: linePath(begun.slice(-2)) }),
    ...(begun.length === 1 && first && first.y !== null && { only: { x: first.x, y: first.y } }),
  };
}

export function linePath(spots: readonly Spot[]): string {
  let isDrawing = false;
  return spots
    .map(({ x, y }) => {
      const command = y === null ? '' : `${isDrawing ? 'L' : 'M'}${round(x)} ${round(y)}`;
      isDrawing = y !== null;
      return command;
    })
    .join('');
}

/** The line, closed down to the floor. */
export function areaPath(spots: readonly Spot[], floor: number): string {
  const runs: Spot[][] = [[]];
  for (const spot of spots) {
    if (spot.y === null) runs.push([]);
    else runs.at(-1)?.push(spot);
  }
  return runs
    .filter((run) => run.length > 0)
    .map((run) => {
      const [first, last] = [run[0] as Spot, run.at(-1) as Spot];
      return `${linePath(run)}L${round(last.x)} ${floor}L${round(first.x)} ${floor}Z`;
    })
    .join('');
}

/** What lies between two lines, where both have values. */
export function bandPath(lower: readonly Spot[], upper: readonly Spot[]): string {
  const runs: { low: Spot; high: Spot }[][] = [[]];
  for (const [index, low] of lower.entries()) {
    const high = upper[index];
    if (low.y === null || high === undefined || high.y === null) runs.push([]);
    else runs.at(-1)?.push({ low, high });
  }
  return runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const back = run.map(({ low }) => low).reverse();
      return `${linePath([...run.map(({ high }) => high), ...back])}Z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
