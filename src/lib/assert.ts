/** Throws at a bug of ours, in production too: going on would write wrong numbers. */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${claim}`);
}

/** The row that an aggregate has, whatever it is of. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  assert(row !== undefined, 'an aggregate has a row');
  return row;
}
