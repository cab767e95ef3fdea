/**
 * With which settings a cluster is asked, on the wire. A Keeper cannot run here, and so no replica
 * either: in place of the servers stands one that only records, and tells of a Keeper or of none.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { clusterInsertSettings, clusterSettings } from './cluster-access.ts';
import { openStore } from './open-store.ts';

interface Asked {
  readonly sql: string;
  /** Settings and the like. */
  readonly parameters: Readonly<Record<string, string>>;
}

let server: Server;
let asked: Asked[];
afterEach(() => void server.closeAllConnections());

/** A server that has each of these rows for statements that contain the words before them. */
async function recorder(rows: readonly (readonly [words: string, row: object])[]): Promise<string> {
  asked = [];
  server = createServer(async (request, response) => {
    const { query = '', ...parameters } = Object.fromEntries(
      new URL(request.url ?? '', 'http://recorder').searchParams,
    );
    let sql = query;
    for await (const part of request) sql += part;
    asked.push({ sql, parameters });
    const data = rows.filter(([words]) => sql.includes(words)).map(([, row]) => row);
    response.end(JSON.stringify({ data }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function memberAt(replica: number) {
  return { shard: 1, replica, address: `ch-1-${replica}:9000`, isOwn: replica === 1 ? 1 : 0 };
}

async function preparedOn(url: string) {
  const access = {
    cluster: 'plays',
    urls: [url],
    username: 'one',
    password: '',
    database: 'stats',
  };
  const parts = {
    metrics: new Registry(),
    clock: manualClock(),
    logger: pino({ level: 'silent' }),
  };
  const opened = openStore({ access, ...parts });
  onTestFinished(() => opened.store.close());
  await opened.prepare(false);
  return opened.store;
}

function parametersOf(words: string): Asked['parameters'] {
  const found = asked.find(({ sql }) => sql.includes(words));
  return found?.parameters ?? expect.fail(`nobody asked ${words}`);
}

const asSent = (settings: object) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

test.each([1, 2])('an insert into shards of %i replicas', async (replicas) => {
  const members = Array.from({ length: replicas }, (_, index) => memberAt(index + 1));
  const store = await preparedOn(
    await recorder([
      ...members.map((member) => ['FROM system.clusters', member] as const),
      ["name = 'zookeeper'", { tables: 1 }],
    ]),
  );
  await store.insertText('stretch', Buffer.from('1\n'), ['accountId']);
  await store.insertRows('ledger', [[1]]);
  for (const table of ['INSERT INTO stretch', 'INSERT INTO ledger']) {
    expect(parametersOf(table)).toMatchObject(asSent(clusterInsertSettings(replicas)));
    expect('insert_quorum' in parametersOf(table)).toBe(replicas > 1);
  }
  await store.command({ name: 'sum', sql: 'INSERT INTO peak SELECT 1', parameters: {} });
  await store.select({ name: 'ask', sql: 'SELECT 2', parameters: {} });
  for (const words of ['INSERT INTO stretch', 'INSERT INTO peak', 'SELECT 2']) {
    expect(parametersOf(words)).toMatchObject(asSent(clusterSettings));
  }
  // The roll-up's own statements are large, and wait for nobody else's.
  expect(Object.keys(parametersOf('INSERT INTO peak'))).not.toContain('async_insert');
});

test('a single server is asked without any of it', async () => {
  const url = await recorder([]);
  const access = { url, username: 'one', password: '', database: 'stats' };
  const parts = {
    metrics: new Registry(),
    clock: manualClock(),
    logger: pino({ level: 'silent' }),
  };
  const { store } = openStore({ access, ...parts });
  onTestFinished(() => store.close());
  await store.insertRows('ledger', [[1]]);
  const ofClusters = Object.keys({ ...clusterSettings, ...clusterInsertSettings(2) });
  const sent = Object.keys(parametersOf('INSERT INTO ledger'));
  expect(sent.filter((name) => ofClusters.includes(name))).toEqual([]);
});
