import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../lib/time/clock.ts';
import type { Connection } from '../database/connection.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { withoutSync } from './snapshots.ts';

const [normal, full] = [1, 2];

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-sync-'));
  database = openDatabase({ sqliteFile: join(folder, 'catalog.sqlite') }, systemClock);
});
afterAll(async () => {
  await database.kysely.destroy();
  await rm(folder, { recursive: true });
});

async function syncOf(connection: Connection): Promise<number | undefined> {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(connection);
  return rows[0]?.synchronous;
}

test('only what may be lost is written without waiting for the disk', async () => {
  expect(await syncOf(database.kysely)).toBe(full);
  const [within, beside] = await Promise.all([
    withoutSync(database, syncOf),
    // Asked meanwhile, answered after it.
    syncOf(database.kysely),
  ]);
  expect([within, beside]).toEqual([normal, full]);
});

test('what fails leaves the next write as durable as all others', async () => {
  const failing = withoutSync(database, (connection) => sql`no statement`.execute(connection));
  await expect(failing).rejects.toThrow(/syntax error/);
  expect(await syncOf(database.kysely)).toBe(full);
});
