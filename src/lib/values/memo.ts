/** Makes what has the same key once. It keeps all of it: let it last for one answer. */
export function remembered<Input, Output>(
  make: (input: Input) => Output,
  keyOf: (input: Input) => string | number,
): (input: Input) => Output {
  const made = new Map<string | number, Output>();
  return (input) => {
    const key = keyOf(input);
    const known = made.get(key);
    if (known !== undefined) return known;
    const output = make(input);
    made.set(key, output);
    return output;
  };
}
