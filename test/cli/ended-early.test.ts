/**
 * Verbs that end early: by a signal, in order, and what they began is well; or as their stores are
 * away, or take connections and say nothing, and they say why.
 */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/lib/network/free-port.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { testKinds } from '../support/each-kind.ts';
import { holdStatement } from '../support/held-statement.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A command line whose statistics are on a server that answers all but these statements. */
async function openHolding(text: string) {
  const { url, username, password } = engineAccess();
  const held = await holdStatement(url, text);
  const commandLine = await openCommandLine({
    LOG_LEVEL: 'silent',
    CLICKHOUSE_URL: held.url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: `test_${randomUUID().replaceAll('-', '')}`,
  });
  return {
    ...commandLine,
    release: () => held.release(),

    /** Sends a signal while a statement is held. */
    async breakOff(signal: NodeJS.Signals, ...words: string[]) {
      const { child, ended } = commandLine.begin(words);
      let endedBefore: unknown;
      void ended.then((ran) => {
        endedBefore = ran;
      });
      const isReached = () => held.held() > 0 || endedBefore !== undefined;
      await waitUntil('a statement that is held', isReached);
      expect(endedBefore).toBeUndefined();
      child.kill(signal);
      return { ended };
    },

    async done(...words: string[]) {
      const { code, stdout, stderr } = await commandLine.run(...words, '--json');
      expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' });
      return JSON.parse(stdout);
    },

    async [Symbol.asyncDispose]() {
      held.close();
      await commandLine.remove();
    },
  };
}

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

// Most of the time they wait: all at once, those that a signal ends each on stores of its own.
describe.concurrent('with stores that are dead', () => {
  test('a ClickHouse server that is away, and one that says nothing', { timeout }, async () => {
    const servers = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${silentPort()}`];
    const ended = servers.flatMap((CLICKHOUSE_URL) =>
      verbs.map((words) => commandLine.runWith({ CLICKHOUSE_URL }, ...words)),
    );
    for (const { code, stdout, stderr } of await Promise.all(ended)) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^playmeter [a-z ]+: The statistics store is not ready: |ECONNREFUSED/m,
      );
      expect(stderr).not.toContain('    at ');
    }
  });

  test('a PostgreSQL server that is away, and one that says nothing', async () => {
    const servers = [await freePort(), silentPort()].map(
      (port) => `postgres://127.0.0.1:${port}/a`,
    );
    const ended = servers.flatMap((DATABASE_URL) =>
      verbs.map((words) => commandLine.runWith({ DATABASE_URL }, ...words)),
    );
    for (const { code, stdout, stderr } of await Promise.all(ended)) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^playmeter [a-z ]+: The catalog is not available at the moment/m);
      expect(stderr).not.toContain('    at ');
    }
  });
});

describe.concurrent('ended by a signal', () => {
  test('migrate, after the step that is under way', async () => {
    await using stage = await openHolding('CREATE TABLE IF NOT EXISTS event');
    const { ended } = await stage.breakOff('SIGTERM', 'migrate');
    stage.release();
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter migrate: Interrupted\n',
    });
    const [, ...others] = migrations.map(
      ({ name }) => `statistics: migration ${name} is not applied`,
    );
    expect(await stage.done('migrate')).toMatchObject({ done: others });
    expect(await stage.done('migrate', '--check')).toEqual({ undone: [] });
  });

  test('erase, of which the record stays, to be carried out later', async () => {
    await using stage = await openHolding('DELETE WHERE accountId');
    const made = await stage.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
    expect(made.code).toBe(0);
    await stage.done('migrate');
    const { ended } = await stage.breakOff('SIGTERM', 'erase', '--account', '1');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Recorded under receipt \S+; .*\nplaymeter erase: Interrupted\n$/);
    stage.release();
    const [, receipt] = /receipt ([\w-]+)/.exec(stderr) ?? [];
    const again = await stage.done('erasure', 'list');
    expect(again.list).toMatchObject([{ receipt, state: 'deleting' }]);
  });

  test('demo, and what there is of it is removed', async () => {
    // As it stands in a URL.
    await using stage = await openHolding('INSERT+INTO+stretch');
    const { ended } = await stage.breakOff('SIGINT', 'demo', '--plays', '100000');
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(
        /^playmeter demo: Interrupted: remove what there is with: playmeter demo --remove\n$/m,
      ),
    });
    stage.release();
    expect((await stage.run('demo')).stderr).toContain('with --remove');
    expect(await stage.done('demo', '--remove')).toMatchObject({ receipt: expect.any(String) });
  });

  testKinds(
    [
      { name: 'facts', statement: 'AS seconds FROM stretch', asked: ['--facts'] },
      {
        name: 'an answer',
        tags: ['long' as const],
        statement: 'count_plays',
        asked: ['--measures', 'plays', '--from', '2026-11-01', '--to', '2026-11-02'],
      },
    ],
    'export of $name, of which nothing is left',
    async ({ statement, asked }) => {
      await using stage = await openHolding(statement);
      const made = await stage.run('account', 'create', '--name', 'Test', '--time-zone', 'UTC');
      expect(made.code).toBe(0);
      await stage.done('migrate');
      const file = join(stage.folder, 'rows.csv');
      const words = ['export', '--account', '1', '--format', 'csv', ...asked, file];
      const { ended } = await stage.breakOff('SIGINT', ...words);
      expect(await ended).toEqual({
        ...{ code: 1, stdout: '' },
        stderr: 'playmeter export: Interrupted\n',
      });
      const left = await readdir(stage.folder);
      expect(left.filter((name) => name.includes('rows.csv'))).toEqual([]);
    },
  );

  test('doctor', async () => {
    await using stage = await openHolding('');
    const { ended } = await stage.breakOff('SIGINT', 'doctor');
    expect(await ended).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'playmeter doctor: Interrupted\n',
    });
  });
});
