/** A quotient of whole numbers, rounded half up exactly: 0.5 of the last decimal is never lost. */
export function halfUp(part: bigint, whole: bigint, decimals: number): number {
  const scale = 10n ** BigInt(decimals);
  const rounded = (2n * part * scale + whole) / (2n * whole);
  return Number(rounded) / Number(scale);
}
