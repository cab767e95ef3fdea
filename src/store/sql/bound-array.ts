/** Bound by the store as {name:Type}; never part of a statement's text. */
export type BoundParameters = Readonly<
  Record<string, string | number | readonly (string | number)[]>
>;

/** The store takes 128 KiB in one field of a request. */
const mostCharacters = 100_000;

export interface BoundArray {
  readonly sql: string;
  readonly parameters: BoundParameters;
}

/** A list of any length as an array in SQL, in as many parameters as it needs. */
export function boundArray(
  name: string,
  type: 'UInt32' | 'UInt64' | 'UUID' | 'String',
  values: readonly (string | number)[],
): BoundArray {
  let chunk: (string | number)[] = [];
  const chunks = [chunk];
  let characters = 0;
  for (const value of values) {
    // Quotes and a comma, and twice the bytes where each is escaped.
    const length = typeof value === 'number' ? 21 : 3 + 2 * Buffer.byteLength(value);
    if (characters + length > mostCharacters) {
      chunk = [];
      chunks.push(chunk);
      characters = 0;
    }
    characters += length;
    chunk.push(value);
  }
  const named = chunks.map((chunk, index) => [`${name}Part${index}`, chunk] as const);
  const bound = named.map(([parameter]) => `{${parameter}:Array(${type})}`);
  const sql = bound.length === 1 ? (bound[0] as string) : `arrayConcat(${bound.join(', ')})`;
  return { sql, parameters: Object.fromEntries(named) };
}
