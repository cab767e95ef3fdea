/**
 * ClickHouse as a supervised child process, bundled or installed: started, watched, restarted,
 * stopped. All other parts know only its URL, as for any other ClickHouse server.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../lib/logger.ts';
import { freePort } from '../lib/network/free-port.ts';
import type { Clock } from '../lib/time/clock.ts';
import { becomesReady, type Patience, untilSilent, usualPatience } from './answer-watch.ts';
import { findEngineProgram } from './engine-program.ts';
import { type EngineShard, writeEngineFiles } from './engine-settings.ts';
import { accessFile, type EngineAccess } from './running-engine.ts';

const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
const stopGraceMs = 5_000;
const rememberedLines = 10;

export type { EngineAccess };

export interface Engine {
  /** Unchanged by restarts. */
  readonly access: EngineAccess;
  /** Why the engine does not answer; undefined while it does. */
  whyNotReady(): string | undefined;
  /** Process id of the engine while it runs: for monitoring and tests. */
  processId(): number | undefined;
  /** How often it was started again since the service started. */
  restarts(): number;
  /** Ends its process; the supervisor starts it again. */
  restart(reason: string): void;
  stop(): Promise<void>;
}

interface EngineOptions {
  readonly folder: string;
  readonly memoryMb: number;
  readonly logger: Logger;
  /** CLICKHOUSE_PROGRAM. */
  readonly program?: string | undefined;
  /** Overridden in tests. */
  readonly patience?: Patience;
  /** Makes it one shard of several engines, which need the same password. */
  readonly shard?: EngineShard & { readonly password: string };
}

/** Starts the engine and returns at once; `whyNotReady` is undefined as soon as it answers. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { folder, memoryMb, logger, patience = usualPatience, shard } = options;
  const { name, version, command } = await findEngineProgram(options.program, process.env.PATH);
  logger.info({ engine: name, version }, 'starting the engine');
  const port = await freePort();
  const username = 'playmeter';
  const password = shard?.password ?? randomBytes(24).toString('base64url');
  const files = writeEngineFiles({ folder, username, password, memoryMb, shard });
  // Left by a backup that was killed: these files would keep their room for ever.
  rmSync(join(files.storeFolder, 'shadow'), { recursive: true, force: true });
  const access = { url: `http://127.0.0.1:${port}`, username, password };
  // The command line's verbs find a running engine by this file.
  writeFileSync(accessFile(folder), JSON.stringify(access), { mode: 0o600 });

  let child: ChildProcess | undefined;
  let notReady: string | undefined = 'The engine is starting';
  let restarts = 0;
  const stopping = new AbortController();

  const supervise = async (): Promise<void> => {
    let backOffMs = firstBackOffMs;
    for (; !stopping.signal.aborted; restarts += 1) {
      const lines: string[] = [];
      child = spawnEngine(
        command(files, port, shard ? ['TCP'] : []),
        folder,
        remembering(lines, logger),
      );
      const exit = awaitExit(child);
      const ended = new AbortController();
      void exit.then(() => ended.abort());
      if (await becomesReady(access, patience, ended.signal)) {
        notReady = undefined;
        backOffMs = firstBackOffMs;
        logger.info({ processId: child.pid }, 'engine is ready');
        await untilSilent(access, patience, ended.signal);
      }
      if (!ended.signal.aborted) {
        notReady = 'The engine does not answer';
        logger.error({ processId: child.pid }, 'engine does not answer: ending it');
        lines.push('it did not answer');
        child.kill('SIGKILL');
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
    restarts: () => restarts,
    restart(reason) {
      notReady = `The engine starts again: ${reason}`;
      logger.error({ processId: child?.pid, reason }, 'ending the engine, to start it again');
      child?.kill('SIGKILL');
    },
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

/** Keeps the last lines. */
function remembering(lines: string[], logger: Logger) {
  return (line: string): void => {
    lines.push(line);
    if (lines.length > rememberedLines) lines.shift();
    logger.warn({ engine: line }, 'engine says');
  };
}

function spawnEngine(
  [program, ...words]: [string, ...string[]],
  folder: string,
  onLine: (line: string) => void,
) {
  // In a process group of its own: an interrupt typed at the terminal stops the service, which then
  // flushes its spool into a living engine and stops that last.
  const child = spawn(program, words, {
    cwd: folder,
    env: engineEnvironment(process.env),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // What watches the pipe for an installed program ends with it.
  child.once('exit', () => child.stdio[3]?.destroy());
  let rest = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()?.slice(0, 4_096) ?? '';
    for (const line of parts) if (line.trim() !== '') onLine(line.slice(0, 1_024));
  });
  // Without descriptors for pipes there are none: then it ends at once, with the reason.
  child.stdio?.[3]?.on('error', () => {});
  return child;
}

function awaitExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/**
 * What the engine is given of the service's environment. The rest stays outside, the secrets above
 * all: an environment can be read from the process, and from what it leaves when it crashes.
 */
const given = [
  // The zone of the engine's log.
  'TZ',
  // Where a system keeps the libraries that Node needs.
  'LD_LIBRARY_PATH',
  // See scripts/run.mjs.
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
];

function engineEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(given.map((name) => [name, environment[name]])),
    // Else an installed program runs in a process that it forks, which a signal does not reach.
    CLICKHOUSE_WATCHDOG_ENABLE: '0',
  };
}

/** Damage that a restart does not mend is met again, so restarts become rare. */
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

/**
 * Starts the engine again when it has found its data damaged, as after a merge on a full disk: it
 * then drops the damaged part and takes the parts that were merged, which it keeps for minutes.
 * Gives the function to call whenever damage is met.
 */
export function restartOnDamage(
  engine: Pick<Engine, 'restart'>,
  clock: Pick<Clock, 'monotonic'>,
): () => void {
  let pauseMs = firstPauseMs;
  let notBefore = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now < notBefore) return;
    notBefore = now + pauseMs;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    engine.restart('it found its data damaged');
  };
}
