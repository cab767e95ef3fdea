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

/** Makes a value at its first use; whoever asks again gets the same. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * The same function, which remembers its last answer by the identity of what it was asked. Of the
 * beacons of one request, nearly all have one sender.
 */
export function rememberLast<Asked extends object, Answer>(
  read: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (asked) => {
    if (last?.asked !== asked) last = { asked, answer: read(asked) };
    return last.answer;
  };
}

/**
 * Makes what has the same key once and keeps it; what could not be made is made anew when it is
 * next asked for. Let the keys be few.
 */
export function makeOnce<Key, Made>(
  make: (key: Key) => Promise<Made>,
): (key: Key) => Promise<Made> {
  const kept = new Map<Key, Promise<Made>>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const making = make(key);
    kept.set(key, making);
    making.catch(() => kept.delete(key));
    return making;
  };
}
