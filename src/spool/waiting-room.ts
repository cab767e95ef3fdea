/**
 * Where requests wait that would be too much just now. Whoever has waited too long is sent away: a
 * sender that is refused at once may come again at once, and the refusals alone would keep the
 * service busy.
 */
export interface WaitingRoom {
  /**
   * Resolves to true when this much has been taken for it; or to false when that took too long.
   * Nobody passes those who came before.
   */
  enter(amount: number): Promise<boolean>;
  /** Lets in, in their order, those for whom enough can be taken now. */
  letIn(): void;
  /** Sends all away. */
  close(): void;
}

interface WaitingRoomOptions {
  readonly longestWaitMs: number;
  /** Takes this much where there is room for it; says whether it did. */
  readonly take: (amount: number) => boolean;
}

interface Waiting {
  readonly amount: number;
  readonly leave: (isLetIn: boolean) => void;
}

export function createWaitingRoom({ longestWaitMs, take }: WaitingRoomOptions): WaitingRoom {
  const waiting = new Set<Waiting>();
  const wait = (amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const leave = (isLetIn: boolean) => {
        clearTimeout(timer);
        waiting.delete(own);
        resolve(isLetIn);
      };
      const timer = setTimeout(() => leave(take(amount)), longestWaitMs);
      const own = { amount, leave };
      waiting.add(own);
    });
  return {
    enter: async (amount) => (waiting.size === 0 && take(amount)) || wait(amount),
    letIn() {
      for (const { amount, leave } of waiting) {
        if (!take(amount)) return;
        leave(true);
      }
    },
    close() {
      for (const { leave } of waiting) leave(false);
    },
  };
}
