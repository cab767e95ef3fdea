import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { resetWithinRequest } from '../../test/support/reset-within-request.ts';
import { engineAccess } from '../../test/support/shared-parts.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { freePort } from '../lib/network/free-port.ts';
import { type Engine, type EngineAccess, restartOnDamage, startEngine } from './engine.ts';
import { writeEngineFiles } from './engine-settings.ts';
import { createAuthorization } from './running-engine.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask({ url }: EngineAccess, sql: string, headers = {}): Promise<Answer> {
  const answer = await fetch(url, { method: 'POST', body: sql, headers });
  return { status: answer.status, text: await answer.text() };
}

const withPassword = (access: EngineAccess) => ({ authorization: createAuthorization(access) });

describe('without the password', () => {
  const { url, username, password } = engineAccess();
  const access = { url, username, password };
  const wrong = { username, password: `${password}x` };
  const strangers: Record<string, Record<string, string>> = {
    'without a name': {},
    'as the user of its own session': { 'X-ClickHouse-User': 'default' },
    'as the same, by Authorization': {
      authorization: createAuthorization({ username: 'default', password: '' }),
    },
    'with a wrong password': { authorization: createAuthorization(wrong) },
    'with the password in other headers': {
      'X-ClickHouse-User': username,
      'X-ClickHouse-Key': password,
    },
  };

  test.each(Object.entries(strangers))('%s, nothing is answered', async (_, headers) => {
    for (const sql of ['SELECT 1', 'SELECT sleep(3)', 'SYSTEM STOP LISTEN HTTP', 'SHOW GRANTS']) {
      expect(await ask(access, sql, headers)).toMatchObject({ status: 404 });
    }
    for (const path of ['/', '/play', '/?query=SELECT+1', '/?query=SELECT+1&user=default']) {
      expect((await fetch(url + path, { headers })).status).toBe(404);
    }
    const alive = await ask(access, 'SELECT 1', withPassword(access));
    expect(alive).toEqual({ status: 200, text: '1\n' });
  });
});

describe('an engine that lives', () => {
  let engine: Engine;
  let access: EngineAccess;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'playmeter-watched-'));
    vi.stubEnv('DATABASE_URL', 'postgres://user:a-secret@127.0.0.1/playmeter');
    const logger = pino({ level: 'silent' });
    const patience = { everyMs: 200, pingWithinMs: 2_000, queryWithinMs: 4_000, silentProbes: 3 };
    engine = await startEngine({ folder, memoryMb: 512, logger, patience });
    ({ access } = engine);
    await waitUntil('the engine', () => engine.whyNotReady() === undefined);
    return async () => {
      vi.unstubAllEnvs();
      await engine.stop();
      await rm(folder, { recursive: true, force: true });
    };
  });

  test('and is busy with all the queries that it takes is left alone', {
    tags: 'long',
  }, async () => {
    const before = engine.processId();
    const slow = `SELECT sum(sleepEachRow(0.5)) FROM numbers(8) SETTINGS max_block_size = 1`;
    const all = Array.from({ length: 120 }, () => ask(access, slow, withPassword(access)));
    const answers = await Promise.all(all);
    // The last ones find it full, as the probes do.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(90);
    expect(answers.some(({ text }) => text.includes('TOO_MANY_SIMULTANEOUS_QUERIES'))).toBe(true);
    expect(engine.processId()).toBe(before);
    expect(engine.whyNotReady()).toBeUndefined();
  });

  test('and keeps some room free on its disk', async () => {
    const kept = 'SELECT name, keep_free_space FROM system.disks';
    const { text } = await ask(access, kept, withPassword(access));
    expect(text).toBe(`default\t${24 * 1_048_576}\n`);
  });

  test('and works with several threads, if there are cores for them', async () => {
    const explained = 'EXPLAIN PIPELINE SELECT sum(number) FROM numbers_mt(100000000)';
    const { text } = await ask(access, explained, withPassword(access));
    const threads = Number(/AggregatingTransform × (\d+)/.exec(text)?.[1] ?? 1);
    expect(threads).toBeGreaterThanOrEqual(Math.min(2, availableParallelism()));
  });

  test('and makes no machine code of what it is asked again and again', async () => {
    const sums = `SELECT number % 7 AS part, sum(number * 3 + 1), max(number) FROM numbers(1000)
      GROUP BY part ORDER BY part, sum(number * 3 + 1)`;
    for (let asked = 0; asked < 6; asked += 1) await ask(access, sums, withPassword(access));
    const compiled = `SELECT event FROM system.events WHERE event LIKE 'Compile%'`;
    expect(await ask(access, compiled, withPassword(access))).toEqual({ status: 200, text: '' });
  });

  test('and has nothing of our environment but what it needs', async () => {
    const file = `/proc/${engine.processId()}/environ`;
    const names = readFileSync(file, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0]);
    const needed = [
      'CLICKHOUSE_WATCHDOG_ENABLE',
      'LD_LIBRARY_PATH',
      'MALLOC_ARENA_MAX',
      'NODE_COMPILE_CACHE',
      'TZ',
      '',
    ];
    expect(names.filter((name) => !needed.includes(name ?? ''))).toEqual([]);
    expect(process.env).toMatchObject({ DATABASE_URL: expect.any(String) });
  });

  test('and whose connections are reset runs on', async () => {
    const before = engine.processId();
    const port = Number(new URL(access.url).port);
    for (let times = 0; times < 40; times += 1) await resetWithinRequest(port);
    // One that ends itself takes a while to.
    await sleep(1_000);
    const answer = await ask(access, 'SELECT 1', withPassword(access));
    expect(answer).toEqual({ status: 200, text: '1\n' });
    expect(engine.processId()).toBe(before);
    expect(engine.restarts()).toBe(0);
  });

  const silences: Record<string, (processId: number) => unknown> = {
    'stands still': (processId) => process.kill(processId, 'SIGSTOP'),
    'no longer listens': () =>
      ask(access, 'SYSTEM STOP LISTEN HTTP', withPassword(access)).catch(() => {}),
  };
  for (const [silent, silence] of Object.entries(silences)) {
    const tags: 'long'[] = silent === 'stands still' ? ['long'] : [];
    test(`and ${silent} is started again`, { tags }, async () => {
      const before = engine.processId() ?? 0;
      await silence(before);
      await waitUntil('another engine', () => ![before, undefined].includes(engine.processId()));
      await waitUntil('its answer', () => engine.whyNotReady() === undefined);
      expect(await ask(access, 'SELECT 1', withPassword(access))).toEqual({
        status: 200,
        text: '1\n',
      });
    });
  }
});

test('an engine whose port is taken says so, and starts when it is free', {
  tags: 'long',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-taken-'));
  const engine = await startEngine({ folder, memoryMb: 512, logger: pino({ level: 'silent' }) });
  onTestFinished(async () => {
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const taker = createServer((socket) => socket.destroy());
  // It listens within the process's first turns: the engine has yet to be loaded.
  taker.listen(Number(new URL(engine.access.url).port), '127.0.0.1');
  await waitUntil('its reason', () => /Address already in use/.test(engine.whyNotReady() ?? ''));
  taker.close();
  await waitUntil('the engine', () => engine.whyNotReady() === undefined);
  expect(engine.restarts()).toBeGreaterThan(0);
});

test('where the system gives no terminal, it says so and runs', { tags: 'long' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-without-terminal-'));
  const access = { username: 'playmeter', password: 'secret' };
  const { configFile, storeFolder } = writeEngineFiles({ folder, ...access, memoryMb: 512 });
  const port = await freePort();
  const hidden = 'mount --bind /dev/null /dev/ptmx && exec "$0" "$@"';
  const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const program = join(import.meta.dirname, 'engine-process.ts');
  const words = [process.execPath, program, configFile, storeFolder, String(port)];
  const child = spawn('unshare', [...asRoot, '--mount', 'sh', '-c', hidden, ...words], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('an answer', async () => {
    const headers = withPassword({ url, ...access });
    const answer = await ask({ url, ...access }, 'SELECT 1', headers).catch(() => undefined);
    return answer?.status === 200;
  });
  expect(said).toContain('No terminal');
});

test('damage restarts the engine at once, then after pauses that double up to an hour', () => {
  const restarts: number[] = [];
  let now = 0;
  const engine = { restart: () => restarts.push(now) };
  const onDamage = restartOnDamage(engine, { monotonic: () => now });
  for (; now < 4 * 3_600_000; now += 1_000) onDamage();
  const pauses = restarts.slice(1).map((at, index) => (at - (restarts[index] ?? 0)) / 60_000);
  expect(restarts[0]).toBe(0);
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});
