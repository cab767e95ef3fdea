/** Verbs whose stores are away, or take connections and say nothing: they end, and say why. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';

let commandLine: CommandLine;
let silent: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  commandLine = await openCommandLine();
  silent = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await commandLine.remove();
});

const days = ['--from', '2026-11-01', '--to', '2026-11-02'];
const verbs = [
  ['verify'],
  ['erase', '--account', '1', '--before', '2026-01-01', '--dry-run'],
  ['export', '--account', '1', '--facts', '--format', 'jsonl'],
  ['query', '--account', '1', ...days, '--measures', 'plays'],
  ['migrate'],
  ['migrate', '--check'],
];

function silentPort(): number {
  const address = silent.address();
  return typeof address === 'object' && address ? address.port : 0;
}

// Sooner than the 110 s after which a statement that nobody cuts off ends by itself.
const timeout = 100_000;

// They wait for most of their time: at once.
test.concurrent('a ClickHouse server that is away, and one that says nothing', {
  timeout,
}, async () => {
  const servers = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${silentPort()}`];
  const ended = servers.flatMap((CLICKHOUSE_URL) =>
    verbs.map((words) => commandLine.runWith({ CLICKHOUSE_URL }, ...words)),
  );
  for (const { code, stdout, stderr } of await Promise.all(ended)) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^playmeter [a-z ]+: The statistics store is not ready: |ECONNREFUSED/m);
    expect(stderr).not.toContain('    at ');
  }
});

test.concurrent('a PostgreSQL server that is away, and one that says nothing', async () => {
  const servers = [await freePort(), silentPort()].map((port) => `postgres://127.0.0.1:${port}/a`);
  const ended = servers.flatMap((DATABASE_URL) =>
    verbs.map((words) => commandLine.runWith({ DATABASE_URL }, ...words)),
  );
  for (const { code, stdout, stderr } of await Promise.all(ended)) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^playmeter [a-z ]+: The catalog is not available at the moment/m);
    expect(stderr).not.toContain('    at ');
  }
});
