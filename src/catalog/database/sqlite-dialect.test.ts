import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { sleep, systemClock } from '../../lib/time/clock.ts';
import { openCatalog } from '../open-catalog.ts';

test('a new file that another process just begins to write is waited for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-sqlite-'));
  const file = join(folder, 'catalog.db');
  onTestFinished(() => rm(folder, { recursive: true }));
  const other = new SqliteFile(file);
  other.exec('BEGIN IMMEDIATE');
  const opening = openCatalog({ location: { sqliteFile: file }, clock: systemClock });
  const opened = expect(opening).resolves.toBeDefined();
  await sleep(systemClock, 100);
  other.exec('COMMIT');
  other.close();
  await opened;
  await (await opening).close();
});
