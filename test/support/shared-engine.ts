/** One real engine for all test files; each makes databases of its own on it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { type EngineAccess, startEngine } from '../../src/engine/engine.ts';
import { waitUntil } from './wait-until.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engineAccess: EngineAccess;
    engineFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-engine-'));
  const logger = pino({ level: 'error' }, pino.destination(2));
  const engine = await startEngine({ folder, memoryMb: 2_048, logger });
  await waitUntil('the engine to answer', () => engine.whyNotReady() === undefined);
  project.provide('engineAccess', engine.access);
  project.provide('engineFolder', folder);
  return async () => {
    await engine.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
