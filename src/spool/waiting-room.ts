/**
 * Where requests wait that would be too much just now. Whoever leaves lets the next in; whoever has
 * waited too long is sent away. A sender that is refused at once may come again at once, and the
 * refusals alone would keep the service busy.
 */
export interface WaitingRoom {
  /** Resolves when it is let in: true; or when it has waited too long: false. */
  enter(): Promise<boolean>;
  letIn(count: number): void;
}

export function createWaitingRoom(longestWaitMs: number): WaitingRoom {
  /** In the order in which they came. */
  const waiting = new Set<() => void>();
  return {
    enter: () =>
      new Promise((resolve) => {
        const letIn = () => {
          clearTimeout(timer);
          resolve(true);
        };
        const timer = setTimeout(() => {
          waiting.delete(letIn);
          resolve(false);
        }, longestWaitMs);
        waiting.add(letIn);
      }),
    letIn(count) {
      let left = count;
      for (const letIn of waiting) {
        if (left === 0) return;
        waiting.delete(letIn);
        letIn();
        left -= 1;
      }
    },
  };
}
