/** Throws at a bug of ours, in production too: going on would write wrong numbers. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${claim}`);
}
