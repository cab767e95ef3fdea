/** The program as a process of its own, on a data folder without a service. */
import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { program } from './program.ts';

/** All that it is given of this environment: what was compiled once is not compiled again. */
export const compiledBefore = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  readonly folder: string;
  readonly catalog: Catalog;
  run(...words: string[]): Promise<Ran>;
  /** The same, with more settings. */
  runWith(settings: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran>;
  /** The same, to be killed on the way. */
  begin(words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ran> };
  remove(): Promise<void>;
}

export async function openCommandLine(
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-command-line-'));
  const location = { sqliteFile: join(folder, 'catalog.sqlite') };
  const catalog = await openCatalog({ location, clock: systemClock });
  const env = { ...compiledBefore, DATA_DIR: folder, ...environment };

  function begin(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    let child: ChildProcess | undefined;
    const ended = new Promise<Ran>((resolve) => {
      const environment = { env: { ...env, ...settings } };
      child = execFile(process.execPath, [program, ...words], environment, (_, stdout, stderr) =>
        resolve({ code: child?.exitCode ?? null, stdout, stderr }),
      );
    });
    if (!child) throw new Error('The program was not started');
    child.stdin?.end();
    return { child, ended };
  }

  return {
    folder,
    catalog,
    begin,
    run: (...words) => begin(words).ended,
    runWith: (settings, ...words) => begin(words, settings).ended,
    async remove() {
      await catalog.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
