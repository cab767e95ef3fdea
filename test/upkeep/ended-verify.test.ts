/** `verify` that is interrupted beside a service: it ends, harms nothing, and nothing of it goes on. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEngineAccess } from '../../src/engine/running-engine.ts';
import { type FactStore, openFactStore } from '../../src/store/client/store-client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** In one day: summing them again takes the store a second, or longer. */
const manyFacts = 600_000;

let service: ServiceProcess;
let store: FactStore;
let views = 0;
beforeAll(async () => {
  service = await startServiceProcess();
  const access = await readEngineAccess(join(service.dataFolder, 'engine'));
  store = openFactStore({ ...access, database: 'playmeter' });
  expect(await send()).toBe(200);
  await waitUntil('the first fact in the store', async () => (await count('stretch')) === 1);
  const command = (name: string, sql: string) => store.command({ name, sql, parameters: {} });
  await command(
    'multiply the fact',
    `INSERT INTO stretch SELECT * EXCEPT (number) REPLACE (generateUUIDv4(number) AS view,
        slot - 86400 + 900 * (number % 64) AS slot,
        startMs - 86400000 + 900000 * (number % 64) AS startMs)
      FROM (SELECT * FROM stretch LIMIT 1) AS one CROSS JOIN numbers(${manyFacts}) AS many
      SETTINGS max_threads = 1, max_block_size = 20000, min_insert_block_size_rows = 50000,
        min_insert_block_size_bytes = 0`,
  );
  await command(
    'note their slots',
    'INSERT INTO touched (accountId, slot) SELECT DISTINCT accountId, slot FROM stretch',
  );
});
afterAll(async () => {
  await store?.close();
  await service?.remove();
});

async function send(): Promise<number> {
  const [, videoKey] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  views += 1;
  const at = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();
  const beacons = [{ view: `v${views}`, stretch: 0, at, playMs: 1_000, videoKey }];
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    body: JSON.stringify({ beacons }),
  });
  return response.status;
}

async function number(sql: string): Promise<number> {
  const [row] = await store.select<{ n: number }>({ name: 'test', sql, parameters: {} });
  return Number(row?.n);
}
const count = (table: string) => number(`SELECT count() AS n FROM ${table}`);
/** Statements of `verify` that make sums again. */
const summing = () =>
  number(`SELECT count() AS n FROM system.processes
    WHERE query LIKE '%expected_plays%' AND query NOT LIKE '%system.processes%'`);
const cancelled = () =>
  number(`SELECT sum(value) AS n FROM system.errors WHERE name LIKE 'QUERY_WAS_CANCELLED%'`);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ended by %s amid a statement, which ends as well',
  async (signal) => {
    const before = await cancelled();
    // On a busy machine the signal may come between two statements.
    for (let tries = 0; tries < 3 && (await cancelled()) === before; tries += 1) {
      const verb = service.begin('verify');
      await waitUntil('sums being made again', async () => (await summing()) > 0);
      verb.kill(signal);
      expect(await verb.ended).toBe(1);
      await waitUntil('no statement of it', async () => (await summing()) === 0);
    }
    expect(await cancelled()).toBeGreaterThan(before);
    expect(await send()).toBe(200);
  },
);

test('afterwards all is as it was', async () => {
  expect(await service.run('verify')).toMatchObject({
    isSound: true,
    differences: [],
    damagedParts: [],
  });
  expect(await count('stretch')).toBe(manyFacts + views);
});
