import type { Clock } from '../time/clock.ts';

/** Those that wait for their turn, in order. */
export interface WaitingLine {
  /** How many wait. */
  readonly length: number;
  /** Waits behind the others, so many milliseconds at most (or `Infinity`): whether its turn came. */
  wait(mostMs: number): Promise<boolean>;
  letFirstGo(): void;
}

export function createWaitingLine({ after }: Pick<Clock, 'after'>): WaitingLine {
  const waiting: (() => void)[] = [];
  return {
    get length() {
      return waiting.length;
    },
    wait: (mostMs) =>
      new Promise((resolve) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(go), 1);
          resolve(false);
        };
        const cancel = Number.isFinite(mostMs) ? after(mostMs, giveUp) : () => {};
        const go = (): void => {
          cancel();
          resolve(true);
        };
        waiting.push(go);
      }),
    letFirstGo: () => waiting.shift()?.(),
  };
}
