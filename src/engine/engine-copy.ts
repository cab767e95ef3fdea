/**
 * Reads a table of a folder on which no engine runs, and leaves the folder as it is: an engine
 * that starts on it would write to it. So an engine of its own runs on a copy of that table alone.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time/clock.ts';
import { startEngine } from './engine.ts';
import { type EngineAccess, waitForEngine } from './running-engine.ts';

interface CopiedTable {
  /** The engine's, which may not be there. */
  readonly folder: string;
  readonly database: string;
  readonly table: string;
  readonly memoryMb: number;
  readonly program: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface CopyEngine {
  readonly access: EngineAccess;
  stop(): Promise<void>;
}

/** Resolves when it answers. Without the table the engine is empty. */
export async function startOnCopy(options: CopiedTable): Promise<CopyEngine> {
  const { memoryMb, program, clock, logger } = options;
  const folder = mkdtempSync(join(tmpdir(), 'playmeter-copy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    copyTable(options, join(folder, 'store'));
    const engine = await startEngine({ folder, memoryMb, program, logger });
    const stop = () => engine.stop().finally(remove);
    const access = await waitForEngine(folder, clock).catch(async (error) => {
      await stop();
      throw error;
    });
    return { access, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Definitions of the database and the table, and its rows: each under the id in the former. */
function copyTable({ folder, database, table }: CopiedTable, copy: string): void {
  const store = join(folder, 'store');
  const take = (path: string): string | undefined => {
    const source = join(store, path);
    if (!existsSync(source)) return undefined;
    mkdirSync(dirname(join(copy, path)), { recursive: true, mode: 0o700 });
    cpSync(source, join(copy, path), { recursive: true });
    return source;
  };
  const folderOf = (definition: string | undefined): string | undefined => {
    if (definition === undefined) return undefined;
    const id = /UUID '([0-9a-f-]{36})'/.exec(readFileSync(definition, 'utf8'))?.[1];
    return id && join('store', id.slice(0, 3), id);
  };
  const ofDatabase = folderOf(take(join('metadata', `${database}.sql`)));
  const ofTable = ofDatabase && folderOf(take(join(ofDatabase, `${table}.sql`)));
  if (ofTable) take(ofTable);
}
