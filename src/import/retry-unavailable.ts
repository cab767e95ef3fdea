import { type Clock, sleep } from '../lib/time/clock.ts';
import { Fault } from '../vocabulary/faults.ts';

const retries = 60;
const pauseMs = 1_000;

/** Lets an import survive a restart of the database. For writes that may be repeated. */
export async function retryUnavailable<Value>(
  clock: Clock,
  run: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const mayWork = error instanceof Fault && error.code === 'UNAVAILABLE';
      if (!mayWork || attempt === retries) throw error;
      await sleep(clock, pauseMs);
    }
  }
}
