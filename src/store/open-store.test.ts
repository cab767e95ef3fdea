/** How a single server is found to be there, and what becomes of those that wait for it. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { type GiveAnswer, startRecordingServer } from '../../test/support/recording-server.ts';
import { openRefusingWay } from '../../test/support/refusing-way.ts';
import { engineAccess } from '../../test/support/shared-parts.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { freePort } from '../lib/network/free-port.ts';
import { type Clock, systemClock } from '../lib/time/clock.ts';
import { usualHostPatience } from './client/host-watch.ts';
import { computeChecksum } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openStore } from './open-store.ts';

function openOn(access: Parameters<typeof openStore>[0]['access'], clock: Clock = systemClock) {
  const logger = pino({ level: 'silent' });
  const opened = openStore({ access, metrics: new Registry(), clock, logger });
  onTestFinished(() => opened.store.close());
  return opened;
}

function opened(differing: { readonly url?: string }) {
  const access = { ...engineAccess(), database: 'default', ...differing };
  const patience = { ...usualHostPatience, answersWithinMs: 60_000 };
  return openOn({ ...access, patience }).whyNotReady;
}

test('one that refuses is there: what is asked of it says why it does not work', async () => {
  const way = await openRefusingWay(engineAccess());
  onTestFinished(() => way.close());
  const whyNotReady = opened({ url: way.url });
  await waitUntil('its answer', () => whyNotReady() === undefined);
});

test('one that takes no connection is not, for the reason that the system gives', async () => {
  const port = await freePort();
  const whyNotReady = opened({ url: `http://127.0.0.1:${port}` });
  const reason = `127.0.0.1:${port}: The statistics store does not answer: connect ECONNREFUSED`;
  await waitUntil('the reason', () => whyNotReady()?.startsWith(reason) ?? false);
});

const login = { username: 'one', password: '', database: 'stats' };
const query = (sql: string) => ({ name: 'test', sql, parameters: {} });

async function startServer(answer: GiveAnswer) {
  const server = await startRecordingServer(answer);
  onTestFinished(() => server.close());
  return server;
}

test('who waits for one that hangs learns so, unless it is about the tables', async () => {
  const server = await startServer(() => undefined);
  const clock = manualClock();
  const patience = { everyMs: 250, answersWithinMs: 1_000, othersAnswerWithinMs: 500 };
  const { store, whyNotReady } = openOn({ ...login, url: server.url, patience }, clock);
  const ofTables = store.onEachServer((one) => one.command(query('ALTER TABLE one')));
  const waiting = store.select(query('SELECT 2'));
  for (const one of [ofTables, waiting]) one.catch(() => {});
  await waitUntil('all questions', () => server.asked.length === 3);
  clock.advance(1_000);
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(whyNotReady()).toContain('no answer within 1000 ms');
  expect(await Promise.race([ofTables, 'waits'])).toBe('waits');
  await store.close();
  await expect(ofTables).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(clock.waiting()).toBe(0);
});

test('one that nobody watches is asked nothing, and closing ends what is', async () => {
  const server = await startServer(() => undefined);
  const { store, whyNotReady, prepare, coveredSkewMs, measureSkewMs } = openOn({
    ...login,
    url: server.url,
  });
  expect(whyNotReady()).toBeUndefined();
  expect(coveredSkewMs).toBe(0);
  expect(await measureSkewMs()).toBeUndefined();
  expect(server.asked).toEqual([]);
  const asked = [
    store.select(query('SELECT 2')),
    store.onEachServer((one) => one.select(query('SELECT 3'))),
    prepare(true),
  ];
  for (const one of asked) one.catch(() => {});
  await waitUntil('all questions', () => server.asked.length === 3);
  expect(server.asked.map(({ parameters }) => parameters.database).sort()).toEqual([
    ...['stats', 'stats', 'system'],
  ]);
  await store.close();
  for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test.each([
  ['shares snapshots', [{ isOn: 1 }], true],
  ['does not', [{ isOn: 0 }], false],
  ['knows no such setting', [], false],
])('a server that %s, and has the tables of this release', async (_, setting, isOfOneMoment) => {
  const records = migrations.map((one) => ({ name: one.name, checksum: computeChecksum(one) }));
  const server = await startServer(({ sql }) => {
    if (sql.includes('SELECT name FROM system.tables')) return [{ name: 'migration' }];
    if (sql.includes('SELECT DISTINCT name, checksum')) return records;
    return sql.includes('enable_shared_storage_snapshot_in_query') ? setting : [];
  });
  const { prepare, readsAsOfOneMoment } = openOn({ ...login, url: server.url });
  expect(readsAsOfOneMoment()).toBe(false);
  await prepare(true);
  expect(readsAsOfOneMoment()).toBe(isOfOneMoment);
  expect(server.asked.filter(({ sql }) => sql.startsWith('CREATE'))).toEqual([]);
  await prepare(false);
  expect(server.asked.filter(({ sql }) => sql.startsWith('CREATE'))).toHaveLength(3);
});
