/** Resolves after everything that waits now had its turn: work in portions awaits it in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
