/** What is found undone on a configured store, and doing it: on a server, and asked of a cluster. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { dropDatabase } from '../../test/support/drop-database.ts';
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import { type GiveAnswer, startRecordingServer } from '../../test/support/recording-server.ts';
import { engineAccess } from '../../test/support/shared-parts.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { systemClock } from '../lib/time/clock.ts';
import { computeChecksum } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openTableAdmin } from './open-store.ts';
import { tables } from './tables/schema.ts';

const records = migrations.map((one) => ({ name: one.name, checksum: computeChecksum(one) }));
const login = { username: 'one', password: '', database: 'stats' };

async function startServer(answer: GiveAnswer) {
  const server = await startRecordingServer(answer);
  onTestFinished(() => server.close());
  return server;
}

function openDesk(
  access: Parameters<typeof openTableAdmin>[0],
  clock: ManualClock | typeof systemClock = systemClock,
) {
  const desk = openTableAdmin(access, clock);
  onTestFinished(() => desk.close());
  return desk;
}

test('a server without a database lacks every migration, and each is reported when it is done', async () => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const access = engineAccess();
  onTestFinished(() => dropDatabase({ ...access, urls: [access.url] }, database));
  const desk = openDesk({ ...access, database });
  expect(await desk.findUndone()).toEqual(
    migrations.map(({ name }) => `migration ${name} is not applied`),
  );
  let done = 0;
  await desk.bringUpToDate(() => {
    done += 1;
  });
  expect(done).toBe(migrations.length);
  expect(await desk.findUndone()).toEqual([]);
  await desk.bringUpToDate(() => expect.fail('nothing is left'));
});

test('a server that is away, or says nothing, is reported before anything is done', async () => {
  const away = await startServer((_, response) => void response.destroy());
  const desk = openDesk({ ...login, url: away.url });
  for (const ask of [desk.findUndone, desk.bringUpToDate]) {
    await expect(ask()).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', message: 'The statistics store does not answer' },
    });
  }
  const silent = await startServer(() => undefined);
  const clock = manualClock();
  const waiting = openDesk({ ...login, url: silent.url }, clock).findUndone();
  waiting.catch(() => {});
  await waitUntil('the question', () => silent.asked.length > 0);
  clock.advance(9_999);
  await new Promise(setImmediate);
  expect(await Promise.race([waiting, 'waits'])).toBe('waits');
  clock.advance(1);
  await expect(waiting).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `The statistics store is not ready: ${silent.host}: no answer within 10000 ms`,
  });
  // Soon over, and not in the server's log of queries.
  expect(silent.asked).toMatchObject([
    { sql: 'SELECT 1 \nFORMAT JSON', parameters: { max_execution_time: '5', log_queries: '0' } },
  ]);
});

test('a server that refuses says why by what is asked of it then', async () => {
  const noRights = 'Code: 497. DB::Exception: as the test said. (ACCESS_DENIED)';
  const server = await startServer(() => {
    throw noRights;
  });
  const clock = manualClock();
  const desk = openDesk({ ...login, url: server.url }, clock);
  await expect(desk.findUndone()).rejects.toMatchObject({ cause: { code: '497' } });
  expect(server.asked).toHaveLength(2);
  // Nothing waits for the server any more.
  expect(clock.waiting()).toBe(0);
});

/** A server that is a shard of its own, with all that this release makes. */
const shardAt =
  (place: number, applied: readonly object[]): GiveAnswer =>
  ({ sql }) => {
    const [shard, address] = [place + 1, `ch-${place}:9000`];
    const answers: Readonly<Record<string, readonly object[]>> = {
      'FROM system.clusters': [1, 2].map((one) => ({
        ...{ shard: one, replica: 1, address, isOwn: one === shard ? 1 : 0 },
      })),
      "name = 'zookeeper'": [{ tables: 0 }],
      'SELECT name FROM system.tables': [{ name: 'migration' }],
      'SELECT DISTINCT name, checksum': applied,
      'FROM system.columns': Object.values(tables).flatMap(({ name, shardBy }) =>
        ['stats', 'stats_shard'].map((database) => ({
          ...{ database, name, columns: 'n' },
          engine: `Distributed('plays', 'stats_shard', '${name}', ${shardBy})`,
        })),
      ),
    };
    return Object.entries(answers).find(([words]) => sql.includes(words))?.[1] ?? [];
  };

test('of a cluster every host is asked, and each that lacks something is named', async () => {
  const servers = [
    await startServer(shardAt(0, records)),
    await startServer(shardAt(1, records.slice(0, -1))),
  ];
  const urls = servers.map(({ url }) => url);
  const desk = openDesk({ ...login, cluster: 'plays', urls });
  const last = migrations.at(-1)?.name;
  expect(await desk.findUndone()).toEqual([
    `${servers[1]?.host}: migration ${last} is not applied`,
  ]);
  let done = 0;
  await desk.bringUpToDate(() => {
    done += 1;
  });
  expect(done).toBe(1);
  const away = await startServer((_, response) => void response.destroy());
  const other = openDesk({ ...login, cluster: 'plays', urls: [...urls, away.url] });
  const asked = servers[0]?.asked.length ?? 0;
  for (const ask of [other.findUndone, other.bringUpToDate]) {
    await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect(servers[0]?.asked.slice(asked).map(({ sql }) => sql)).toEqual([
    'SELECT 1 \nFORMAT JSON',
    'SELECT 1 \nFORMAT JSON',
  ]);
});

test.each([
  ['a server', (url: string) => ({ ...login, url })],
  ['a cluster', (url: string) => ({ ...login, cluster: 'plays', urls: [url] })],
])('closing ends what waits for %s', async (_, accessAt) => {
  const silent = await startServer(() => undefined);
  const desk = openTableAdmin(accessAt(silent.url), manualClock());
  const waiting = desk.findUndone();
  waiting.catch(() => {});
  await waitUntil('the question', () => silent.asked.length > 0);
  await desk.close();
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
