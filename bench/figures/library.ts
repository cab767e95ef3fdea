/** A library of a million videos on both databases: its import, and every way to list it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { program } from '../../scripts/program/program.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { atMost, type Figure, type Measured } from '../figure.ts';
import {
  type AskedFolder,
  askVideos,
  type VideoQuestion,
  videoQuestions,
} from '../stage/library-questions.ts';
import { keyInLargeFolder, largeFolder, writeLibrary } from '../stage/library-rows.ts';
import type { AskedTimes } from '../stage/questions.ts';

const sampleMs = 200;
const mostAsksAnew = 20;
const mostFirstMs = 50;
const mostLaterMs = 150;

const kinds = [
  {
    kind: 'first page of a list',
    mostMs: mostFirstMs,
    isOne: (of: Timed) => of.isFirst && !of.isSearch,
  },
  {
    kind: 'first page of a search',
    mostMs: mostFirstMs,
    isOne: (of: Timed) => of.isFirst && of.isSearch,
  },
  {
    kind: 'later page of a list',
    mostMs: mostLaterMs,
    isOne: (of: Timed) => !of.isFirst && !of.isSearch,
  },
  {
    kind: 'later page of a search',
    mostMs: mostLaterMs,
    isOne: (of: Timed) => !of.isFirst && of.isSearch,
  },
];

export const library: Figure = {
  name: 'library',
  async measure({ libraryVideos, asksPerQuestion }, say) {
    const measured: Measured[] = [];
    for (const database of ['SQLite', 'PostgreSQL'] as const) {
      const stage = await openStage(database);
      try {
        const file = join(stage.dataFolder, 'library.csv');
        await writeLibrary(file, libraryVideos);
        for (const what of ['imported', 'found unchanged'] as const) {
          const run = await importFile(stage, file);
          if (run.rows !== libraryVideos) throw new Error(`${run.rows} rows ${what}`);
          const on = `${database}: ${what}`;
          say(`${on} at ${Math.round(run.rowsPerSecond)} rows/s`);
          measured.push({ what: `${on} from CSV`, value: run.rowsPerSecond, unit: 'rows/s' });
          measured.push({ what: `${on}, peak memory`, value: run.peakMb, unit: 'MB' });
        }
        await stage.settle();
        const folder = await stage.openFolder();
        const questions = await videoQuestions(folder);
        const timed = await timeAll(folder, questions, asksPerQuestion);
        for (const { name, p50Ms, p95Ms } of timed) {
          say(`${database}: ${name}: p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`);
        }
        for (const { kind, mostMs, isOne } of kinds) {
          measured.push(worstOf(`${database}: ${kind}`, mostMs, timed.filter(isOne)));
        }
        const everywhere = { ...folder, folderId: undefined };
        const searches = (await videoQuestions(everywhere)).filter(
          ({ isSearch, isFirst }) => isSearch && isFirst,
        );
        const found = await timeAll(everywhere, searches, asksPerQuestion);
        measured.push(worstOf(`${database}: first page of a search in all`, mostFirstMs, found));
        // As the first who asks after a change: nothing counted before holds any more.
        const firsts = questions.filter(({ isFirst }) => isFirst);
        const asks = Math.min(mostAsksAnew, asksPerQuestion);
        const anew = await timeAll(folder, firsts, asks, stage.changeVideo);
        measured.push(worstOf(`${database}: first page just after a change`, mostFirstMs, anew));
      } finally {
        await stage.close();
      }
    }
    return { measured };
  },
};

type Timed = VideoQuestion & AskedTimes;

async function timeAll(
  folder: AskedFolder,
  questions: readonly VideoQuestion[],
  asks: number,
  before?: () => Promise<void>,
): Promise<Timed[]> {
  const times = await askVideos(folder, questions, asks, before);
  return questions.map((question, index) => ({ ...question, ...(times[index] as AskedTimes) }));
}

/** The slowest of a kind: the others are printed as they are measured. */
function worstOf(kind: string, mostMs: number, timed: readonly Timed[]): Measured {
  const worst = timed.toSorted((a, b) => b.p95Ms - a.p95Ms)[0] as Timed;
  const note = `${worst.name}; its median ${worst.p50Ms.toFixed(1)} ms; of ${timed.length}`;
  const target = atMost(mostMs);
  return { what: `${kind}, the slowest p95`, value: worst.p95Ms, unit: 'ms', target, note };
}

interface Stage {
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly accountId: number;
  /** What PostgreSQL does by itself in the minutes after an import. */
  settle(): Promise<void>;
  openFolder(): Promise<AskedFolder>;
  /** One in the folder, from another process than the one that is asked. */
  changeVideo(): Promise<void>;
  close(): Promise<void>;
}

async function openStage(database: 'SQLite' | 'PostgreSQL'): Promise<Stage> {
  const postgres = database === 'PostgreSQL' ? await startPostgres() : undefined;
  const databaseUrl = await postgres?.createDatabase();
  const service = await startServiceProcess({
    RATE_LIMIT_PER_MINUTE: '1000000',
    MANAGE_LIMIT_PER_MINUTE: '1000000',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  const { dataFolder, url } = service;
  const location = databaseUrl
    ? { databaseUrl }
    : { sqliteFile: join(dataFolder, 'catalog.sqlite') };
  const catalog = await openCatalog({ location, clock: systemClock });
  const { accountId } = accepted(await catalog.accounts.create({ name: 'Bench', timeZone: 'UTC' }));
  const { secret: key } = accepted(
    await catalog.keys.create({ accountId, scopes: ['info:read', 'manage'] }),
  );
  let changes = 0;
  return {
    dataFolder,
    environment: { DATA_DIR: dataFolder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) },
    accountId,
    async settle() {
      if (!databaseUrl) return;
      const client = new pg.Client(databaseUrl);
      await client.connect();
      await client.query('vacuum analyze');
      await client.end();
    },
    async openFolder() {
      const folders = await catalog.folders.list(accountId);
      const found = folders.find(({ folderName }) => folderName === largeFolder);
      if (!found) throw new Error('The folder was not imported');
      return { url, key, folderId: found.folderId };
    },
    async changeVideo() {
      changes += 1;
      accepted(
        await catalog.videos.change(accountId, keyInLargeFolder, { etc: `Change ${changes}` }),
      );
    },
    async close() {
      await catalog.close();
      await service.remove();
      await postgres?.stop();
    },
  };
}

/** The verb as a process of its own, start of the program included. */
async function importFile({ environment, accountId }: Stage, file: string) {
  const startedAt = performance.now();
  const words = ['video', 'import', '--account', `${accountId}`, '--csv', file, '--json'];
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  let peakMb = 0;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, peakMbOf(child.pid ?? 0));
  }, sampleMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(sampling);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { imported = 0, unchanged = 0 } = JSON.parse(printed) as Record<string, number>;
  const rows = Math.max(imported, unchanged);
  return { rows, rowsPerSecond: rows / seconds, peakMb };
}

/** The most memory the process ever had; 0 once it has ended. */
function peakMbOf(processId: number): number {
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
