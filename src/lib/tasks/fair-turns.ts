/**
 * Lets large pieces of work take turns: one portion in a turn of the event loop, in the order in
 * which they ask, so that whatever else arrives waits for a single portion at most.
 */
export type TakeTurn = () => Promise<void>;

/** A portion is let go in one of `every` turns of the event loop. */
export function createFairTurns(every = 1): TakeTurn {
  const waiting: (() => void)[] = [];
  let isDue = false;
  let left = every;
  const letOneGo = (): void => {
    left -= 1;
    if (left === 0) {
      left = every;
      waiting.shift()?.();
      isDue = waiting.length > 0;
    }
    if (isDue) setImmediate(letOneGo);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isDue) return;
      isDue = true;
      setImmediate(letOneGo);
    });
}

/** Resolves after everything that waits now had its turn: work in portions awaits it in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
