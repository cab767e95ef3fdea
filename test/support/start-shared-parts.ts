/**
 * Parts that all test files share: one engine, one PostgreSQL, and what is built of the sources.
 * Each begins when the first test asks for it (shared-parts.ts), so that tests of pure functions
 * wait for none of them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { SharedParts } from './shared-parts.ts';
import { waitUntil } from './wait-until.ts';

type Starters = { [Name in keyof SharedParts]: () => Promise<SharedParts[Name]> };

export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'playmeter-shared-'));
  const stops: (() => Promise<void>)[] = [];
  const starters: Starters = {
    async engine() {
      const { pino } = await import('pino');
      const { startEngine } = await import('../../src/engine/engine.ts');
      const engineFolder = mkdtempSync(join(tmpdir(), 'playmeter-engine-'));
      const logger = pino({ level: 'error' }, pino.destination(2));
      const engine = await startEngine({ folder: engineFolder, memoryMb: 2_048, logger });
      stops.push(async () => {
        await engine.stop();
        rmSync(engineFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      });
      await waitUntil('the engine to answer', () => engine.whyNotReady() === undefined);
      return { access: engine.access, folder: engineFolder };
    },
    async postgres() {
      const { startPostgres } = await import('./postgres.ts');
      // Its library would end this process with 0, whatever has failed.
      process.prependListener('beforeExit', (code) => process.exit(code));
      const postgres = await startPostgres();
      stops.push(() => postgres.stop());
      return { url: await postgres.createDatabase() };
    },
    async program() {
      const { isProgramBuilt } = await import('../../scripts/program/built-from.mjs');
      if (!isProgramBuilt()) build('scripts/program/build.ts');
      return {};
    },
    async pages() {
      const { isTrackerBuilt } = await import('../../tracker/built-from.mjs');
      const { isDashboardBuilt } = await import('../../dashboard/built-from.mjs');
      if (!isTrackerBuilt()) build('tracker/build.ts');
      if (!isDashboardBuilt()) build('dashboard/build.ts');
      return {};
    },
  };
  const started = new Map<string, Promise<void>>();
  const startWanted = () => {
    for (const name of Object.keys(starters) as (keyof SharedParts)[]) {
      if (started.has(name) || !existsSync(join(folder, `${name}.wanted`))) continue;
      started.set(
        name,
        starters[name]().then(
          (part) => answer(folder, name, { part }),
          (error: unknown) => answer(folder, name, { failed: String(error) }),
        ),
      );
    }
  };
  const watcher = watch(folder, startWanted);
  project.provide('sharedParts', folder);
  return async () => {
    watcher.close();
    await Promise.all(started.values());
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}

function build(file: string): void {
  execFileSync(process.execPath, [file], { stdio: 'inherit' });
}

/** In one step: who waits for it reads all of it. */
function answer(folder: string, name: string, given: object): void {
  const draft = join(folder, `${name}.draft`);
  writeFileSync(draft, JSON.stringify(given));
  renameSync(draft, join(folder, `${name}.json`));
}
