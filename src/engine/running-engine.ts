import { readFile } from 'node:fs/promises';
import { type Clock, sleep } from '../lib/time/clock.ts';
import { Fault } from '../vocabulary/faults.ts';
import { accessFile, authorizationOf, type EngineAccess } from './engine-access.ts';

const answerWithinMs = 2_000;
const startsWithinMs = 60_000;
const pollMs = 200;

/**
 * The engine of the service that uses the same data folder, so that a verb can work beside it. The
 * service may only just be starting.
 */
export async function waitForEngine(folder: string, clock: Clock): Promise<EngineAccess> {
  const deadline = clock.monotonic() + startsWithinMs;
  while (clock.monotonic() < deadline) {
    const running = await findRunningEngine(folder);
    if (running) return running;
    await sleep(clock, pollMs);
  }
  throw new Fault(
    'UNAVAILABLE',
    'The engine of this data folder does not answer: the log of what started it says why',
  );
}

/** How to reach the engine that runs on the folder, whether or not it answers. */
export async function readEngineAccess(folder: string): Promise<EngineAccess> {
  return JSON.parse(await readFile(accessFile(folder), 'utf8')) as EngineAccess;
}

/** Undefined if none answers. */
export async function findRunningEngine(folder: string): Promise<EngineAccess | undefined> {
  const access = await readEngineAccess(folder).catch(() => undefined);
  if (access === undefined) return undefined;
  const answer = await fetch(`${access.url}/?query=SELECT+1`, {
    headers: { authorization: authorizationOf(access) },
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => undefined);
  return answer?.ok ? access : undefined;
}
