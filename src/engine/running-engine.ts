import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '../lib/time/clock.ts';
import { Fault } from '../vocabulary/faults.ts';

/** Where the bundled engine is, and what it asks for. */
export interface EngineAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** The header by which requests to the engine are let in. */
export function createAuthorization({ username, password }: Omit<EngineAccess, 'url'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Holds the access of the running engine, for the command line's verbs. */
export function accessFile(folder: string): string {
  return join(folder, 'access.json');
}

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
    headers: { authorization: createAuthorization(access) },
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => undefined);
  return answer?.ok ? access : undefined;
}
