export interface Spot {
  readonly x: number;
  /** Null where there is no value: the line is interrupted. */
  readonly y: number | null;
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

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
