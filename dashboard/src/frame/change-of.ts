/** How much of the value before was added since; undefined where that says nothing. */
export function changeOf(
  value: number | null | undefined,
  before: number | null | undefined,
): number | undefined {
  if (value === null || value === undefined || !before) return undefined;
  return (value - before) / before;
}
