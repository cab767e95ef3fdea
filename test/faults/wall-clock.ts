/** Sets the clock of a service that is a process of its own, also while it runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Random } from '../simulation/random.ts';
import { isAlive, type ServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The service reads its clock a moment before we read ours. */
const answerMs = 30_000;
/**
 * Less than a second is a correction to the service, which follows it as if time had passed. Longer
 * than a question meanwhile waits, so that a clock that is off is never taken for a right one.
 */
const leastMs = 5_000;
/** What viewers play allows for no more: see cast.ts. */
const aheadMs = 20 * 3_600_000;
const backMs = 90 * 60_000;

export interface WallClock {
  /** What the service's process has to be started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Resolves when the running service has a clock that is off by so much. */
  set(service: ServiceProcess, offsetMs: number): Promise<void>;
  remove(): Promise<void>;
}

export async function createWallClock(): Promise<WallClock> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-clock-'));
  const file = join(folder, 'offset');
  await writeFile(file, '0');
  const preload = pathToFileURL(join(import.meta.dirname, '../support/stepped-clock.ts'));
  return {
    environment: { NODE_OPTIONS: `--import=${preload}`, STEPPED_CLOCK_FILE: file },
    async set(service, offsetMs) {
      await writeFile(file, String(offsetMs));
      // One that has ended is restarted, with the clock as it is then.
      for (const processId of [service.processId(), ...service.workerProcesses().filter(isAlive)]) {
        process.kill(processId, 'SIGUSR2');
      }
      await waitUntil('the clock to be set', async () => {
        const response = await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST' });
        const serverTime = Number(response.headers.get('server-time'));
        return Math.abs(serverTime - Date.now() - offsetMs) < answerMs;
      });
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Half of the times into another day, at nearly every hour at which that is done. */
export function drawAheadMs(random: Random): number {
  return random.chance(0.5) ? aheadMs : random.between(leastMs, aheadMs);
}

export function drawBackMs(random: Random): number {
  return -random.between(leastMs, backMs);
}
