/**
 * What a cluster's hosts are asked, on the wire: with which settings, and which of them where one
 * cannot be reached. In place of the servers stand some that record and fail as a test wants, also
 * because a Keeper cannot run here, and so no replica either.
 */
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import {
  type Asked,
  type GiveAnswer,
  type RecordingServer,
  startRecordingServer,
} from '../../../test/support/recording-server.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { FactStore, OpenedStore } from '../client/store-client.ts';
import { openStore } from '../open-store.ts';
import { clusterInsertSettings, clusterSettings } from './topology.ts';

/** The rows for statements that contain the words before them. */
type GivenRows = readonly (readonly [words: string, row: object])[];

const give =
  (rows: GivenRows): GiveAnswer =>
  ({ sql }) =>
    rows.filter(([words]) => sql.includes(words)).map(([, row]) => row);
const isProbe = ({ sql }: Asked) => sql.includes('AS shards FROM cluster(');
/** Answers for all shards, and ends the connection on which it is asked anything else. */
const breaksOff: GiveAnswer = (asked, response) => (isProbe(asked) ? [] : void response.destroy());
const endsAll: GiveAnswer = (_, response) => void response.destroy();

async function startServer(answer: GiveAnswer): Promise<RecordingServer> {
  const server = await startRecordingServer(answer);
  onTestFinished(() => server.close());
  return server;
}

const startServers = (answers: readonly GiveAnswer[]) => Promise.all(answers.map(startServer));

interface Opened extends OpenedStore {
  readonly clock: ManualClock;
  readonly logged: readonly Readonly<Record<string, unknown>>[];
}

function openOn(servers: readonly RecordingServer[]): Opened {
  const [clock, logged] = [manualClock(), [] as Readonly<Record<string, unknown>>[]];
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });
  const urls = servers.map(({ url }) => url);
  const login = { username: 'one', password: '', database: 'stats' };
  const access = { cluster: 'plays', urls, ...login };
  const opened = openStore({ access, metrics: new Registry(), clock, logger });
  onTestFinished(() => opened.store.close());
  return { ...opened, clock, logged };
}

function memberAt(replica: number) {
  return { shard: 1, replica, address: `ch-1-${replica}:9000`, isOwn: replica === 1 ? 1 : 0 };
}

/** One shard of so many replicas. */
function shardOf(replicas: number): GivenRows {
  const members = Array.from({ length: replicas }, (_, index) => memberAt(index + 1));
  return [
    ...members.map((member) => ['FROM system.clusters', member] as const),
    ["name = 'zookeeper'", { tables: 1 }],
    ['clusterAllReplicas', { spreadMs: 70 }],
  ];
}

function findAsked({ asked }: RecordingServer, words: string): Asked['parameters'] {
  const found = asked.find(({ sql }) => sql.includes(words));
  return found?.parameters ?? expect.fail(`nobody asked ${words}`);
}

const asSent = (settings: object) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));
const query = (sql: string) => ({ name: 'ask', sql, parameters: {} });

test.each([1, 2])('an insert into shards of %i replicas', async (replicas) => {
  const server = await startServer(give(shardOf(replicas)));
  const { store, prepare, logged } = openOn([server]);
  await prepare(false);
  expect(logged).toMatchObject([{ shards: 1, replicas, hasKeeper: true }]);
  await store.insertText('stretch', Buffer.from('1\n'), ['accountId']);
  await store.insertRows('ledger', [[1]]);
  for (const table of ['INSERT INTO stretch', 'INSERT INTO ledger']) {
    const parameters = findAsked(server, table);
    expect(parameters).toMatchObject(asSent(clusterInsertSettings(replicas)));
    expect('insert_quorum' in parameters).toBe(replicas > 1);
  }
  await store.command(query('INSERT INTO peak SELECT 1'));
  await store.select(query('SELECT 2'));
  const statements = ['INSERT INTO stretch', 'INSERT INTO peak', 'SELECT 2'];
  // And those about the tables.
  for (const words of [...statements, 'FROM system.clusters', 'CREATE TABLE']) {
    expect(findAsked(server, words)).toMatchObject(asSent(clusterSettings));
  }
  // The roll-up's own statements are large, and wait for nobody else's.
  expect(Object.keys(findAsked(server, 'INSERT INTO peak'))).not.toContain('async_insert');
});

test('a single server is asked without any of it', async () => {
  const server = await startServer(give([]));
  const access = { url: server.url, username: 'one', password: '', database: 'stats' };
  const parts = {
    metrics: new Registry(),
    clock: manualClock(),
    logger: pino({ level: 'silent' }),
  };
  const { store } = openStore({ access, ...parts });
  onTestFinished(() => store.close());
  await store.insertRows('ledger', [[1]]);
  const ofClusters = Object.keys({ ...clusterSettings, ...clusterInsertSettings(2) });
  const sent = Object.keys(findAsked(server, 'INSERT INTO ledger'));
  expect(sent.filter((name) => ofClusters.includes(name))).toEqual([]);
});

test('a cluster of an earlier release is refused where it is to be left as it is', async () => {
  const server = await startServer(give(shardOf(1)));
  const { prepare, readsAsOfOneMoment, measureSkewMs } = openOn([server]);
  await expect(prepare(true)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(server.asked.filter(({ sql }) => /^(CREATE|ALTER|INSERT)/.test(sql))).toEqual([]);
  expect(readsAsOfOneMoment()).toBe(false);
  expect(await measureSkewMs()).toBe(70);
});

const tellsOf = async ({ rows, bytes }: { rows: number; bytes: NodeJS.ReadableStream }) => ({
  ...{ rows, text: await text(bytes) },
});
test.each<[string, string, (store: FactStore) => Promise<unknown>, unknown]>([
  ['a database', 'CREATE DATABASE', (store) => store.createDatabase(), undefined],
  ['rows', 'INSERT INTO peak', (store) => store.insertRows('peak', [[1]]), undefined],
  ['a text', 'INTO peak', (store) => store.insertText('peak', Buffer.from('1'), ['n']), undefined],
  ['a question', 'SELECT 2', (store) => store.select(query('SELECT 2')), [{ n: 2 }]],
  ['one for many rows', 'SELECT 2', (store) => store.selectMany(query('SELECT 2')), [{ n: 2 }]],
  [
    'one for a file',
    'SELECT 2',
    async (store) =>
      tellsOf(await store.write(query('SELECT 2'), 'jsonl', new AbortController().signal)),
    { rows: 1, text: '{"n":2}\n' },
  ],
  ['a command', 'INSERT INTO peak', (store) => store.command(query('INSERT INTO peak')), undefined],
  ['a greeting', 'SELECT', (store) => store.ping(), undefined],
])('%s that cannot be sent to the host in use is sent to the next', async (...given) => {
  const [, words, ask, expected] = given;
  const servers = await startServers([breaksOff, breaksOff, give([['SELECT 2', { n: 2 }]])]);
  expect(await ask(openOn(servers).store)).toEqual(expected);
  const times = servers.map(({ asked }) => asked.filter((one) => !isProbe(one)));
  expect(times.map((some) => some.map(({ sql }) => sql.includes(words)))).toEqual([
    [true],
    [true],
    [true],
  ]);
});

test('where none can be reached a statement fails, after each was asked once', async () => {
  const servers = await startServers([breaksOff, breaksOff]);
  const { store } = openOn(servers);
  await expect(store.command(query('SUM'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  for (const { asked } of servers) {
    expect(asked.filter((one) => !isProbe(one))).toHaveLength(1);
  }
});

const noTable = 'Code: 60. DB::Exception: There is no such table. (UNKNOWN_TABLE)';

test('what a host refuses is not sent to another', async () => {
  const refuses: GiveAnswer = (asked, response) =>
    isProbe(asked) ? [] : void response.writeHead(404).end(noTable);
  const [one, other] = [await startServer(refuses), await startServer(give([]))];
  const { store } = openOn([one, other]);
  await expect(store.select(query('SELECT 2'))).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(other.asked).toEqual([]);
});

test('the next host after the last is the first, and each failure makes it look at once', async () => {
  const answers: GiveAnswer[] = [endsAll, endsAll, breaksOff];
  const servers = await startServers(
    answers.map((_, place) => (asked, response) => answers[place]?.(asked, response)),
  );
  const { store, whyNotReady } = openOn(servers);
  await waitUntil('the last to be used', () => whyNotReady() === undefined);
  answers[0] = give([['SELECT 2', { n: 2 }]]);
  const looks = () => servers[2]?.asked.filter(isProbe).length ?? 0;
  expect(looks()).toBe(1);
  expect(await store.select(query('SELECT 2'))).toEqual([{ n: 2 }]);
  expect(servers[1]?.asked.filter((one) => !isProbe(one))).toEqual([]);
  // The clock stands still.
  await waitUntil('another look', () => looks() === 2);
});

test('each host is looked at with a question for all shards, which soon ends', async () => {
  const servers = await startServers([give([]), give([])]);
  const { whyNotReady } = openOn(servers);
  await waitUntil('an answer', () => whyNotReady() === undefined);
  expect(servers.map(({ asked }) => asked)).toMatchObject([
    [
      {
        sql: expect.stringMatching(
          /^SELECT count\(\) AS shards FROM cluster\('plays', system.one\)/,
        ),
        parameters: { max_execution_time: '5' },
      },
    ],
    [],
  ]);
});

const timesAsked = (servers: readonly RecordingServer[]) =>
  servers.map(({ asked }) => asked.filter((one) => !isProbe(one)).length);

test.each([
  ['is sent to the one used in its place', [give([['SELECT 2', { n: 2 }]])], { value: [{ n: 2 }] }],
  ['ends where there is none', [], { reason: { code: 'UNAVAILABLE' } }],
])('what waits for a host that is given up %s', async (_, answering, outcome) => {
  const hangs: GiveAnswer = () => undefined;
  const servers = await startServers([hangs, hangs, ...answering]);
  const { store, clock } = openOn(servers);
  const asked = Promise.allSettled([store.select(query('SELECT 2'))]);
  let hasEnded = false;
  void asked.finally(() => {
    hasEnded = true;
  });
  await waitUntil('the end of it', () => {
    clock.advance(100);
    return hasEnded;
  });
  expect(await asked).toMatchObject([outcome]);
  expect(timesAsked(servers)).toEqual([1, 0, ...answering.map(() => 1)]);
});

test('each server is asked for its own rows, one after the other', async () => {
  const rows = [1, 2].map((n) => give([['SELECT n', { n }]]));
  const servers = await startServers(rows);
  const own = await openOn(servers).store.onEachServer((server) =>
    server.select(query('SELECT n')),
  );
  expect(own).toEqual([[{ n: 1 }], [{ n: 2 }]]);
  for (const server of servers) {
    expect(findAsked(server, 'SELECT n').database).toBe('stats_shard');
  }
});

test('closed, it waits for nothing any more', async () => {
  const ofShard = give(shardOf(1));
  const hangs: GiveAnswer = (asked, response) =>
    asked.sql.includes('SELECT 2') ? undefined : ofShard(asked, response);
  const server = await startServer(hangs);
  const { store, prepare, clock } = openOn([server]);
  await prepare(false);
  const waiting = Promise.allSettled([
    store.select(query('SELECT 2')),
    store.onEachServer((own) => own.select(query('SELECT 2'))),
  ]);
  const asked = () => server.asked.filter(({ sql }) => sql.includes('SELECT 2')).length;
  await waitUntil('both to be asked', () => asked() === 2);
  await store.close();
  expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(clock.waiting()).toBe(0);
});
