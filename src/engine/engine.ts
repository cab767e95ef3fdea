/**
 * The bundled ClickHouse as a supervised child process: started, watched, restarted, stopped.
 * All other parts know it only by its address, like any other ClickHouse server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../lib/logger.ts';
import { Fault } from '../wire/faults.ts';
import { type EngineFiles, enginePackage, writeEngineFiles } from './engine-settings.ts';

const readyPollMs = 25;
const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
const stopGraceMs = 5_000;
const rememberedLines = 10;

export interface EngineAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export interface Engine {
  /** The same over every restart. */
  readonly access: EngineAccess;
  /** Undefined while the engine answers; else why it does not. */
  whyNotReady(): string | undefined;
  /** Process id of the engine while it runs: for those who watch it, and for tests. */
  processId(): number | undefined;
  stop(): Promise<void>;
}

interface EngineOptions {
  readonly folder: string;
  readonly memoryMb: number;
  readonly logger: Logger;
}

/** Begins to start the engine and returns at once; `whyNotReady` tells when it answers. */
export async function startEngine({ folder, memoryMb, logger }: EngineOptions): Promise<Engine> {
  requireEnginePackage();
  const port = await freePort();
  const username = 'playmeter';
  const password = randomBytes(24).toString('base64url');
  const files = writeEngineFiles({ folder, username, password, memoryMb });
  const access = { url: `http://127.0.0.1:${port}`, username, password };
  // The command line's verbs find a running engine by this file.
  writeFileSync(accessFile(folder), JSON.stringify(access), { mode: 0o600 });

  let child: ChildProcess | undefined;
  let notReady: string | undefined = 'The engine is starting';
  const stopping = new AbortController();

  const supervise = async (): Promise<void> => {
    let backOffMs = firstBackOffMs;
    while (!stopping.signal.aborted) {
      const lines: string[] = [];
      child = spawnEngine(files, port, (line) => {
        lines.push(line);
        if (lines.length > rememberedLines) lines.shift();
        logger.warn({ engine: line }, 'engine says');
      });
      const exit = exitOf(child);
      const answered = await Promise.race([answers(access.url, exit), exit.then(() => false)]);
      if (answered) {
        notReady = undefined;
        backOffMs = firstBackOffMs;
        logger.info({ processId: child.pid }, 'engine is ready');
      }
      const code = await exit;
      if (stopping.signal.aborted) break;
      notReady = `The engine stopped (${code}): ${lines.join(' ') || 'it gave no reason'}`;
      logger.error({ code, backOffMs }, 'engine stopped, starting it again');
      await sleep(backOffMs, undefined, { signal: stopping.signal }).catch(() => {});
      backOffMs = Math.min(backOffMs * 2, longestBackOffMs);
    }
  };
  const supervision = supervise();

  return {
    access,
    whyNotReady: () => notReady,
    processId: () => (child?.exitCode === null ? child.pid : undefined),
    async stop() {
      notReady = 'The engine is stopping';
      stopping.abort();
      child?.kill('SIGTERM');
      const force = setTimeout(() => child?.kill('SIGKILL'), stopGraceMs);
      await supervision;
      clearTimeout(force);
    },
  };
}

export function accessFile(folder: string): string {
  return join(folder, 'access.json');
}

function requireEnginePackage(): void {
  try {
    createRequire(import.meta.url).resolve(enginePackage);
  } catch (cause) {
    const { platform, arch } = process;
    throw new Fault(
      'UNAVAILABLE',
      `There is no bundled ClickHouse for ${platform}-${arch}: set CLICKHOUSE_URL to a server`,
      { cause },
    );
  }
}

function spawnEngine(files: EngineFiles, port: number, onLine: (line: string) => void) {
  const program = join(import.meta.dirname, 'engine-process.ts');
  const child = spawn(
    process.execPath,
    [program, files.configFile, files.storeFolder, String(port)],
    // In a process group of its own: an interrupt typed at the terminal stops the service, which
    // then flushes its spool into a living engine and stops that last.
    { cwd: files.folder, detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()?.slice(0, 4_096) ?? '';
    for (const line of parts) if (line.trim() !== '') onLine(line.slice(0, 1_024));
  });
  child.stdin?.on('error', () => {});
  return child;
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

async function answers(url: string, exit: Promise<string>): Promise<boolean> {
  let exited = false;
  void exit.then(() => {
    exited = true;
  });
  while (!exited) {
    const answer = await fetch(`${url}/ping`).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(readyPollMs);
  }
  return false;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
