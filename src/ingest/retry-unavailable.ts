import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../wire/faults.ts';

const retries = 60;
const pauseMs = 1_000;

/** An import outlasts a database that is started again. For writes that may be repeated. */
export async function retryUnavailable<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const mayWork = error instanceof Fault && error.code === 'UNAVAILABLE';
      if (!mayWork || attempt === retries) throw error;
      await sleep(pauseMs);
    }
  }
}
