import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { readConfig } from '../../config/config.ts';
import type { FactHealth } from '../../store/facts.ts';
import { createScheduledMaintenance } from './scheduled-maintenance.ts';

let folder: string;
let warned: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-maintenance-'));
  warned = [];
  const [, program = ''] = process.argv;
  onTestFinished(async () => {
    process.argv[1] = program;
    await rm(folder, { recursive: true });
  });
});

/** With a program whose verb writes a backup, prints two lines and ends with the code. */
async function backUp({ code = 0, DATABASE_URL = '' } = {}) {
  const program = join(folder, 'program.mjs');
  await writeFile(
    program,
    `import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync(process.argv[3], { recursive: true });
    writeFileSync(process.argv[3] + '/manifest.json', '{}');
    console.log('Backup: without the catalog');
    console.log('Dump its database now');
    process.exitCode = ${code};`,
  );
  process.argv[1] = program;
  const config = readConfig({
    ...{ DATA_DIR: folder, BACKUP_SCHEDULE: '0 3 * * *', BACKUP_TO: join(folder, 'backups') },
    ...(DATABASE_URL && { DATABASE_URL }),
  });
  const logger = pino({}, { write: (line) => void warned.push(JSON.parse(line).msg) });
  const around = { config, clock: manualClock(), logger };
  const parts = { catalog: {} as Catalog, facts: {} as FactHealth };
  const [work] = createScheduledMaintenance(around, parts);
  const { signal } = new AbortController();
  return work?.run({ holder: 'test', signal, renew: async () => {} });
}

test('all that the verb said is logged', async () => {
  const lines = ['Backup: without the catalog', 'Dump its database now'];
  expect(await backUp()).toEqual({ about: { backup: lines, removed: 0 } });
  expect(warned).toEqual([]);
});

test('with PostgreSQL it is said at the start that the catalog is left out', async () => {
  await backUp({ DATABASE_URL: 'postgres://localhost/playmeter' });
  expect(warned).toEqual([
    'BACKUP_SCHEDULE leaves out the catalog: dump its database (DATABASE_URL)',
  ]);
});

test('a backup that was not done has failed', async () => {
  await expect(backUp({ code: 1 })).rejects.toThrow(/without the catalog\nDump/);
});
