/** What `playmeter verify` says of stored data that was damaged by hand, in each place in turn. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serverWithinMs } from '../../src/app/offline/offline-stores.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { batchOfRows } from '../../src/store/journal/fact-batch.ts';
import { createFrame } from '../../src/store/journal/journal-frame.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import type { TestAccount } from '../support/service.ts';
import { oneServer, runVerb, type StartedService } from '../support/service-kinds.ts';

let started: StartedService;
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  started = await oneServer.start();
  const { service } = started;
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const at = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();
  const beacons = [{ view: 'v1', stretch: 0, at, playMs: 1_000, os: 'iOS', videoKey }];
  expect((await service.send(beacons, { 'x-api-key': account.key })).status).toBe(200);
  await service.facts.rollUp();
});
afterAll(() => started?.stop());

/** A verb that sees soon that it waits for a store which never will be ready. */
function run(...words: string[]) {
  const clock = { ...systemClock, ...hurriedClock(serverWithinMs) };
  return runVerb({ ...started.around, clock }, words);
}

/** Its exit code, and what it prints. */
async function verify() {
  const { code, printed } = await run('verify', '--json');
  return { code, json: JSON.parse(printed[0] ?? '') };
}

test('where nothing is damaged nothing is reported', async () => {
  expect(await verify()).toMatchObject({
    code: 0,
    json: { damagedParts: [], journal: { damaged: [] }, catalog: [] },
  });
});

test('a journal with a flipped byte, with its file', async () => {
  const folder = join(started.service.config.DATA_DIR, 'journal');
  await mkdir(folder, { recursive: true });
  onTestFinished(() => rm(folder, { recursive: true }));
  const batch = batchOfRows(['slot', 'accountId'], Buffer.from('0000000900\t7\n'));
  const frame = createFrame(batch, 0);
  const bytes = Buffer.concat([frame, frame, frame]);
  bytes[frame.length + frame.length - 3] = 0;
  await writeFile(join(folder, '000000000001.journal'), bytes);
  expect(await verify()).toMatchObject({
    code: 1,
    json: { journal: { facts: 2, damaged: [{ file: '000000000001.journal', places: 1 }] } },
  });
});

test('a row of the catalog whose account is gone, with its table', async () => {
  const file = new SqliteFile(join(started.service.config.DATA_DIR, 'catalog.sqlite'));
  onTestFinished(() => void file.close());
  file.pragma('foreign_keys = off');
  const giveTo = file.prepare('UPDATE folders SET account_id = ? RETURNING id').pluck();
  onTestFinished(() => void giveTo.all(account.accountId));
  const complaints = giveTo
    .all(999_999)
    .map((id) => `row ${id} of folders names no row of accounts`);
  expect(await verify()).toMatchObject({ code: 1, json: { catalog: complaints } });
  expect(complaints).toHaveLength(1);
});

test('a part of the statistics with a flipped byte, with its table', async () => {
  const { service } = started;
  const view = { accountId: account.accountId, view: randomUUID() };
  const moment = { momentMs: Date.now(), arrivalMs: Date.now() };
  await service.facts.events.write([{ ...view, ...moment, sequence: 1, state: 'playing' }]);
  const part = await partOf('event');
  await flipLastByte(join(part.path, 'data.bin'));
  const reason = expect.stringContaining('Checksum mismatch for file data.bin');
  expect(await verify()).toMatchObject({
    code: 1,
    json: { damagedParts: [{ table: 'event', part: part.name, reason }] },
  });
  await flipLastByte(join(part.path, 'data.bin'));
});

test('facts that cannot be read, and so not summed, with their part and without waiting', async () => {
  // Its slot is summed again by whoever opens the store now.
  const beacon = { view: 'v2', stretch: 0, at: new Date().toISOString(), playMs: 1, videoKey };
  expect((await started.service.send([beacon])).status).toBe(200);
  await started.service.facts.rollUp();
  const part = await partOf('stretch');
  const file = join(part.path, 'data.bin');
  const whole = await readFile(file);
  // The checksum of the column that every sum reads first.
  await writeFile(file, Buffer.concat([Buffer.of((whole[0] ?? 0) ^ 1), whole.subarray(1)]));
  onTestFinished(() => writeFile(file, whole));
  const reason = expect.stringMatching(/checksum/i);
  expect(await verify()).toMatchObject({
    code: 1,
    json: {
      ...{ isSound: false, unsummed: reason },
      damagedParts: [{ table: 'stretch', part: part.name, reason }],
    },
  });
  const ofMarch = ['--from', '2026-03-01', '--to', '2026-03-02'];
  const question = ['query', '--account', String(account.accountId), '--measures', 'plays'];
  const { code, complaints } = await run(...question, ...ofMarch);
  expect({ code, complaints }).toEqual({
    code: 1,
    complaints: [expect.stringMatching(/not ready: nothing can be summed, see `playmeter verify`/)],
  });
});

async function partOf(table: string): Promise<{ name: string; path: string }> {
  const [part] = await started.store.select<{ name: string; path: string }>({
    name: 'find the part',
    sql: `SELECT name, path FROM system.parts
      WHERE database = currentDatabase() AND table = {table:String} AND active
      ORDER BY modification_time DESC, name DESC`,
    parameters: { table },
  });
  if (part === undefined) throw new Error(`${table} has no part`);
  return part;
}

async function flipLastByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(path, bytes);
}
