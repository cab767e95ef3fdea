/** Facts that release 0.1.0 acknowledged and left in its journal are answered by this one. */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { batchOfRows } from '../../src/store/journal/fact-batch.ts';
import { frameOf } from '../../src/store/journal/journal-frame.ts';
import { type Facts, openFacts } from '../../src/store/open-facts.ts';
import { engineAccess } from '../support/shared-parts.ts';

const left = new URL('../facts/journal-of-0.1.0', import.meta.url);
const fewerColumns = ['accountId', 'slot', 'view', 'playMs'];
const fewerView = '00000000-0000-4000-8000-000000000009';
const logger = pino({ level: 'error' }, pino.destination(2));

let folder: string;
let facts: Facts;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-former-journal-'));
  await cp(left, folder, { recursive: true });
  const fewer = batchOfRows(fewerColumns, Buffer.from(`9\t1790848800\t${fewerView}\t5\n`));
  await writeFile(join(folder, '000000000009.journal'), frameOf(fewer, 0));
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  facts = openFacts({
    access: { ...engineAccess(), database },
    journalFolder: folder,
    clock: systemClock,
    logger,
    metrics: new Registry(),
  });
  await facts.ready();
});
afterAll(async () => {
  await facts.close();
  await rm(folder, { recursive: true });
});

test('the journal of release 0.1.0 is in the store after the start, each fact once', async () => {
  const sql = `SELECT toString(view) AS view, os, osVersion, plays, playMs,
    formatDateTime(slot, '%F %R') AS slot, videoId FROM stretch WHERE accountId = 1 ORDER BY view`;
  const rows = await facts.read({ name: 'test', sql, parameters: {} });
  const expected = Array.from({ length: 10 }, (_, n) => ({
    view: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    os: n === 3 ? 'tab\there \\ 한국어' : 'Linux',
    osVersion: n === 3 ? 'line\nend\r' : 'Unknown',
    plays: 1,
    playMs: 1_000 * (n + 1),
    slot: `2026-10-0${1 + (n % 3)} 10:00`,
    videoId: 1 + (n % 2),
  }));
  expect(rows).toEqual(expected);
  expect(await readdir(folder)).toEqual([]);
});

test('columns that a journal lacks get the defaults of the table', async () => {
  const sql = `SELECT toString(view) AS view, os, osVersion, plays, playMs, packageId, suspect
    FROM stretch WHERE accountId = 9`;
  expect(await facts.read({ name: 'test', sql, parameters: {} })).toEqual([
    { view: fewerView, os: '', osVersion: '', plays: 0, playMs: 5, packageId: 0, suspect: '' },
  ]);
});
