/**
 * Lets large pieces of work take turns: one portion in each turn of the event loop, in the order in
 * which they ask, so that whatever else arrives waits for a single portion at most.
 */
export type TakeTurn = () => Promise<void>;

export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  let isDue = false;
  const letOneGo = (): void => {
    waiting.shift()?.();
    isDue = waiting.length > 0;
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
