/** The parts that all test files share, from the worker that runs a file. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { EngineAccess } from '../../src/engine/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder: what is wanted is written there, and what has started is answered there. */
    sharedParts: string;
  }
}

export interface SharedParts {
  /** Each file makes databases of its own on it. */
  readonly engine: { readonly access: EngineAccess; readonly folder: string };
  /** Of a database that stays empty. */
  readonly postgres: { readonly url: string };
  /** What processes of the service run is built from the sources that are here. */
  readonly program: object;
  /** What browsers get of the service, tracker and dashboard, is built from the sources here. */
  readonly pages: object;
}

const pollMs = 20;
const patienceMs = 120_000;
const found = new Map<string, unknown>();

export const engineAccess = (): EngineAccess => sharedPart('engine').access;

/** In which the engine has its folder `store`. */
export const engineFolder = (): string => sharedPart('engine').folder;

/** Returns when the part is built; most runs find it so. Outside of tests whoever starts builds it. */
export function requireBuilt(part: 'program' | 'pages'): void {
  if (process.env.VITEST !== undefined) sharedPart(part);
}

/** URL of a new, empty database of the shared PostgreSQL, which no test may stop. */
export async function createDatabase(): Promise<string> {
  const url = new URL(sharedPart('postgres').url);
  const client = new Client({ connectionString: String(url) });
  await client.connect();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Beside others that are made at the same moment: each copies template0, which nobody enters.
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  await client.end();
  url.pathname = name;
  return String(url);
}

/**
 * Starts it if no test has asked before. It waits without a promise, so that tests can ask where
 * they stand, once in a worker; nothing else runs in a worker at that moment.
 */
function sharedPart<Name extends keyof SharedParts>(name: Name): SharedParts[Name] {
  if (!found.has(name)) found.set(name, askFor(name));
  return found.get(name) as SharedParts[Name];
}

function askFor(name: string): unknown {
  const folder = inject('sharedParts');
  const answerFile = join(folder, `${name}.json`);
  writeFileSync(join(folder, `${name}.wanted`), '');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; !existsSync(answerFile); waitedMs += pollMs) {
    if (waitedMs > patienceMs) throw new Error(`Waited ${patienceMs} ms for the shared ${name}`);
    Atomics.wait(pause, 0, 0, pollMs);
  }
  const { part, failed } = JSON.parse(readFileSync(answerFile, 'utf8'));
  if (failed !== undefined) throw new Error(`The shared ${name} did not start: ${failed}`);
  return part;
}
