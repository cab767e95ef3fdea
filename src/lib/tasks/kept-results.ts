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
