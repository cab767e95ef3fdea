/** Starts that cannot succeed say why, in words, and end. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

let folder: string;
let occupant: Server;
let port: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-start-'));
  occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
  const address = occupant.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(async () => {
  occupant.close();
  await rm(folder, { recursive: true, force: true });
});

test('a port that is taken', async () => {
  const { code, complaint, log } = await start({ PORT: String(port) });
  expect(code).toBe(1);
  // It ends as soon as it has said so.
  const messages = log.map(({ msg }) => msg);
  // On a busy machine the engine is faster.
  expect(messages.filter((msg) => !/engine/.test(`${msg}`))).toEqual(['starting']);
  expect(complaint).toContain(`Cannot listen on 127.0.0.1, port ${port}`);
  expect(complaint).not.toContain('    at ');
});

test('a folder that the system does not let anyone make', async () => {
  const { code, complaint, log } = await start({ DATA_DIR: '/proc/playmeter/data' });
  expect(code).toBe(1);
  // What was configured is known even so.
  expect(log).toEqual([
    expect.objectContaining({
      msg: 'starting',
      config: expect.objectContaining({ DATA_DIR: '/proc/playmeter/data' }),
    }),
  ]);
  expect(complaint).toMatch(/^playmeter serve: ENOENT: .*'\/proc\/playmeter'\n$/);
});

test('a second service on the same data, which leaves the first as it is', async () => {
  const service = await startServiceProcess();
  const access = () => readFile(join(service.dataFolder, 'engine/access.json'), 'utf8');
  const before = { access: await access(), files: await readdir(service.dataFolder) };
  const second = { DATA_DIR: service.dataFolder, PORT: '0' };
  const { code, complaint } = await start(second);
  expect(code).toBe(1);
  expect(complaint).toBe(
    `playmeter serve: Another process uses ${service.dataFolder} (DATA_DIR): a service or an ` +
      'import. Stop it, or set DATA_DIR to another folder\n',
  );
  expect({ access: await access(), files: await readdir(service.dataFolder) }).toEqual(before);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await service.run('account', 'list')).toMatchObject({ accountList: [{ accountId: 1 }] });

  // The system releases the folder of a killed one.
  await service.kill('SIGKILL');
  await service.start();
  expect(said(service.log(), 'recovered what the last run left')).toEqual([]);
  await service.remove();
});

test('after a crash the log says what was recovered, and at each start what is configured', async () => {
  const service = await startServiceProcess({ APP_SECRET: 'hidden'.repeat(6) });
  const first = () => JSON.parse(service.log()[0] ?? '{}');
  expect(first()).toMatchObject({
    msg: 'starting',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    config: { DATA_DIR: service.dataFolder, APP_SECRET: 'set', RATE_LIMIT_PER_MINUTE: 600 },
  });
  const [, videoKey = ''] = /\/watch\/(.+)/.exec(service.pageUrl) ?? [];
  const at = new Date().toISOString();
  const send = async (...views: string[]) => {
    const beacons = views.map((view) => ({ view, stretch: 0, playMs: 1_000, videoKey, at }));
    const body = JSON.stringify({ beacons });
    const answer = await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST', body });
    expect(await answer.json()).toEqual({ accepted: views.length, rejected: [] });
  };
  // The first of a day asks the store which values the day has.
  await send('first');
  await waitUntil('it to be in the store', async () =>
    /^playmeter_journal_waiting_facts 0$/m.test(
      await (await fetch(`${service.url}/metrics`)).text(),
    ),
  );
  const [engine = 0] = service.engineProcesses();
  // What is acknowledged now cannot leave the journal.
  process.kill(engine, 'SIGSTOP');
  await send('a', 'b', 'c');
  await service.kill('SIGKILL');
  process.kill(engine, 'SIGKILL');

  await service.start();
  const recovered = () => said(service.log(), 'recovered what the last run left');
  expect(recovered()).toEqual([
    expect.objectContaining({ level: 30, facts: 3, keptFiles: 0, partsSetAside: 0 }),
  ]);
  // A run that stops in order leaves nothing to recover.
  await service.kill('SIGTERM');
  await service.start();
  expect(recovered()).toEqual([]);
  expect(service.log().join('')).not.toContain('hidden');
  await service.remove();
});

/** The lines of a log with this message. */
function said(log: readonly string[], message: string): Record<string, unknown>[] {
  return log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

test('a statistics store that does not answer: never said to be ready, and the log says why', async () => {
  const dead = { CLICKHOUSE_URL: `http://127.0.0.1:${port}`, PORT: '0' };
  occupant.removeAllListeners('connection').on('connection', (socket) => socket.destroy());
  const env = { ...process.env, DATA_DIR: join(folder, 'dead'), ...dead };
  const child = spawn(process.execPath, [program, 'serve'], { env });
  let printed = '';
  let logged = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  child.stderr.on('data', (text) => {
    logged += text;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const waits = () => logged.match(/^.*"reason":".+".*not ready: waiting.*$/gm) ?? [];
  await waitUntil('it to say so twice', () => waits().length >= 2);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(printed).not.toContain('ready');
  // Nobody could find out the key later; the journal of the system does not have it.
  expect(printed + logged).not.toContain('pm_');
  const file = /: (\S+first-key\.txt)$/m.exec(printed)?.[1] ?? '';
  expect(await readFile(file, 'utf8')).toMatch(
    /API key \(shown only once\): pm_.*\n.*\/watch\/[\w-]+\n/,
  );
  const linkFile = /: (\S+first-sign-in\.txt)$/m.exec(printed)?.[1] ?? '';
  expect(await readFile(linkFile, 'utf8')).toMatch(/#invitation=[\w-]{43}\n/);
  expect(printed + logged).not.toContain('#invitation');
  for (const one of [file, linkFile]) expect((await stat(one)).mode & 0o777).toBe(0o600);
  expect(logged).not.toContain('    at ');
});

test('on a terminal the first key is shown there, and kept nowhere', async () => {
  const { url, username, password } = engineAccess();
  const store = { CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password };
  const dataFolder = join(folder, 'terminal');
  const database = { CLICKHOUSE_DATABASE: `terminal_${Date.now()}`, LOG_LEVEL: 'silent' };
  const env = { ...process.env, ...store, ...database, DATA_DIR: dataFolder, PORT: '0' };
  // Runs a command on a terminal of its own, and repeats what that shows.
  const command = `${process.execPath} ${program} serve`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { env });
  let shown = '';
  child.stdout.on('data', (text) => {
    shown += text;
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await waitUntil('it to show all', () => shown.includes('/watch/'));
  expect(shown).toMatch(/Playmeter is ready: .*API key \(shown only once\): pm_/s);
  expect(await readdir(dataFolder)).not.toContain('first-key.txt');
  // The URL that it shows makes the first person, once.
  const [, page, invitation] = /(http\S+)\/#invitation=(\S+)/.exec(shown) ?? [];
  const follow = async () => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'playmeter' };
    const person = { name: 'Kim', email: 'kim@example.com', password: 'three river stones' };
    const body = JSON.stringify({ invitation, ...person });
    const { status } = await fetch(`${page}/session/acceptance`, { method: 'POST', headers, body });
    return status;
  };
  expect([await follow(), await follow()]).toEqual([201, 401]);
  // An interrupt typed at the terminal.
  child.stdin.write('\u0003');
  await ended;
});

test('another APP_SECRET than the one that signing secrets were stored under is reported', async () => {
  const environment = { DATA_DIR: join(folder, 'changed'), APP_SECRET: 'a'.repeat(32) };
  const dead = { CLICKHOUSE_URL: `http://127.0.0.1:${port}`, PORT: String(port) };
  await run(environment, 'account', 'create', '--name', 'Site');
  await run(environment, 'signing', 'create', '--account', '1');
  const reportedBy = async (given: typeof environment, ...options: string[]) => {
    const { log } = await run({ ...given, ...dead }, 'serve', ...options);
    return log.filter(({ msg }) => `${msg}`.includes('signing secrets cannot be read: APP_SECRET'));
  };
  expect(await reportedBy(environment)).toEqual([]);
  const other = { ...environment, APP_SECRET: 'b'.repeat(32) };
  expect(await reportedBy(other, '--accept-new-secret')).toHaveLength(1);
});

test('a bad environment, with every error at once', async () => {
  const environment = {
    PORT: '99999',
    LOG_LEVEL: 'loud',
    APP_SECRET: 'short',
    TRUST_PROXY: 'proxy',
  };
  const { code, complaint } = await start(environment);
  expect(code).toBe(2);
  for (const name of Object.keys(environment)) expect(complaint).toContain(name);
  // What may be a secret is not shown.
  expect(complaint).not.toContain('short');
});

interface Ended {
  readonly code: number;
  /** The lines for people. */
  readonly complaint: string;
  /** The lines of the log. */
  readonly log: readonly Record<string, unknown>[];
}

const start = (environment: Record<string, string>) => run(environment, 'serve');

function run(environment: Record<string, string>, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...words],
      { env: { ...process.env, DATA_DIR: folder, ...environment } },
      (error, _stdout, stderr) => {
        const lines = stderr.split(/(?<=\n)/);
        const isLogged = (line: string) => line.startsWith('{');
        resolve({
          code: Number(error?.code ?? 0),
          complaint: lines.filter((line) => !isLogged(line)).join(''),
          log: lines.filter(isLogged).map((line) => JSON.parse(line)),
        });
      },
    );
  });
}
