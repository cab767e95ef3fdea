/** A database that hangs keeps connections open and says nothing: nobody waits for it for ever. */
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';

/** How long a request may wait for a small statement, or for a connection. */
export const answersWithinMs = 5_000;

/** Rejects with UNAVAILABLE when the answer is late, after `giveUp`. */
export function answerInTime<Answer>(
  clock: Clock,
  withinMs: number,
  answer: Promise<Answer>,
  giveUp = () => {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(withinMs, () => {
      reject(catalogAway(new Error(`no answer within ${withinMs} ms`)));
      giveUp();
    });
    void answer.then(resolve, reject).finally(cancel);
  });
}

export function catalogAway(cause: unknown): Fault {
  return new Fault('UNAVAILABLE', 'The catalog is not available at the moment', {
    retryAfterSeconds: 1,
    reason: 'catalog',
    cause,
  });
}
