/** Of ascending numbers: the one that the given share of them does not exceed. */
export function percentile(ascending: readonly number[], share: number): number {
  const index = Math.min(ascending.length - 1, Math.ceil(ascending.length * share) - 1);
  return ascending[Math.max(0, index)] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return percentile(
    [...numbers].sort((a, b) => a - b),
    0.5,
  );
}
