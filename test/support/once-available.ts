import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../src/wire/faults.ts';

/** Only against hanging. */
const patienceMs = 60_000;
const pauseMs = 200;

/**
 * Does it again where a shard of the bundled engine has just ended itself, as it may in a cluster:
 * docs/decisions/cluster.md.
 */
export async function onceAvailable<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof Fault && error.code === 'UNAVAILABLE';
      if (!mayPass || performance.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}
