/** Makes a listener of ours that can never throw into the host page. */
export function guard<Arguments extends unknown[]>(
  work: (...args: Arguments) => void,
): (...args: Arguments) => void {
  return (...args) => {
    try {
      work(...args);
    } catch {
      // A page must play on as if we were not there; a lost beacon is the smaller harm.
    }
  };
}
