/** The processor time of a service, its workers and its engine, as Linux accounts for it. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessorTime {
  /** Seconds of all processes of the service but the engine. */
  readonly service: number;
  readonly engine: number;
  /** Of the parent of the workers alone; of the service where there are none. */
  readonly parent: number;
}

/** USER_HZ, which Linux has fixed. */
const ticksPerSecond = 100;

/** The engine is a child of the service's first process, and so is each worker. */
export function processorTimeOf(engineProcess: number): ProcessorTime {
  const { parent } = statusOf(engineProcess) ?? { parent: 0 };
  const engine = statusOf(engineProcess)?.seconds ?? 0;
  const ofParent = statusOf(parent)?.seconds ?? 0;
  const workers = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== engineProcess)
    .map((name) => statusOf(Number(name)))
    .filter((status) => status?.parent === parent);
  const ofWorkers = workers.reduce((sum, status) => sum + (status?.seconds ?? 0), 0);
  return { service: ofParent + ofWorkers, engine, parent: ofParent };
}

/** Seconds that processes have used since they started. */
export function secondsOf(...processIds: readonly number[]): number {
  return processIds.reduce((sum, one) => sum + (statusOf(one)?.seconds ?? 0), 0);
}

function statusOf(processId: number) {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system] = [Number(fields[1]), Number(fields[11]), Number(fields[12])];
    return { parent, seconds: (user + system) / ticksPerSecond };
  } catch {
    return undefined;
  }
}
