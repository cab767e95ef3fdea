/**
 * Where requests wait during overload. One that has waited too long is refused, not sooner: a
 * sender that is refused at once may come back at once, and the refusals alone would keep the
 * service busy.
 */
import type { Clock } from '../../lib/time/clock.ts';

export interface AdmissionQueue {
  /**
   * True if this much room was taken for the request at once; otherwise resolves to true when it
   * was, or to false after a timeout. Requests are admitted in order of arrival.
   */
  enter(amount: number): Promise<boolean> | true;
  /** Admits, in order, the requests for which there is room now. */
  letIn(): void;
  /** How many requests wait. */
  size(): number;
  /** Refuses all. */
  close(): void;
}

interface AdmissionQueueOptions {
  readonly longestWaitMs: number;
  /** Takes this much room if it is free; returns whether it did. */
  readonly take: (amount: number) => boolean;
  readonly clock: Clock;
}

interface Waiting {
  readonly amount: number;
  readonly leave: (isLetIn: boolean) => void;
}

export function createAdmissionQueue({
  longestWaitMs,
  take,
  clock,
}: AdmissionQueueOptions): AdmissionQueue {
  const waiting = new Set<Waiting>();
  const wait = (amount: number): Promise<boolean> =>
    new Promise((resolve) => {
      const leave = (isLetIn: boolean) => {
        cancel();
        waiting.delete(own);
        resolve(isLetIn);
      };
      const cancel = clock.after(longestWaitMs, () => leave(take(amount)));
      const own = { amount, leave };
      waiting.add(own);
    });
  return {
    enter: (amount) => (waiting.size === 0 && take(amount)) || wait(amount),
    letIn() {
      // Nearly always: an iterator of nothing costs every request more than this.
      if (waiting.size === 0) return;
      for (const { amount, leave } of waiting) {
        if (!take(amount)) return;
        leave(true);
      }
    },
    size: () => waiting.size,
    close() {
      for (const { leave } of waiting) leave(false);
    },
  };
}
