/** Counts the turns of the event loop, for tests of who gets one. */
export interface TurnCount {
  readonly turn: () => number;
  stop(): void;
}

export function countTurns(): TurnCount {
  let turn = 0;
  let isCounting = true;
  const count = () => {
    turn += 1;
    if (isCounting) setImmediate(count);
  };
  count();
  return {
    turn: () => turn,
    stop() {
      isCounting = false;
    },
  };
}
