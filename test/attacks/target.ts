/**
 * A service under attack: a process of its own, from any checkout of the project, on a data folder
 * of its own. Seen from outside only: HTTP, signals, the command line, its folder and /proc.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../src/lib/network/free-port.ts';
import { residentMb } from '../support/resident-memory.ts';

const execute = promisify(execFile);

export interface TargetOptions {
  /** The checkout. */
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Most open files of the process. */
  readonly descriptors: number;
  /** Of the data folder, made beforehand; without it the service makes the folder. */
  readonly folderMode: number;
  /** Octal, such as '000'. */
  readonly umask: string;
}

export interface Target {
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Lines on standard output, and of the log. */
  readonly printed: readonly string[];
  readonly log: readonly string[];
  processId(): number;
  /** The newest engine. */
  engineProcessId(): number;
  /** Resident memory of the service and its engine together. */
  residentMb(): number;
  /** Descriptors that the process has open. */
  descriptors(): number;
  isRunning(): boolean;
  /** Runs a verb of the command line on the same data; what it prints with --json. */
  run(...words: string[]): Promise<Record<string, unknown>>;
  /** Kills it and deletes its data. */
  remove(): Promise<void>;
}

/** Resolves when the service is ready; rejects with its last lines where it ends before. */
export async function startTarget(
  options: Pick<TargetOptions, 'project'> & Partial<TargetOptions>,
): Promise<Target> {
  const { project, environment = {}, folderMode } = options;
  const home = await mkdtemp(join(tmpdir(), 'playmeter-attack-'));
  const dataFolder = join(home, 'data');
  if (folderMode !== undefined) {
    await mkdir(dataFolder);
    await chmod(dataFolder, folderMode);
  }
  const program = programOf(project);
  const { nodeFlags } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: dataFolder, PORT: String(port), ...environment };
  const [command, ...words] = commandOf(options, [...nodeFlags, program, 'serve']);
  const child = spawn(command, words, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  const log: string[] = [];
  const engines: number[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line);
    const engine = /"processId":(\d+).*engine is ready/.exec(line)?.[1];
    if (engine) engines.push(Number(engine));
  });
  const processId = child.pid ?? 0;
  const engineProcessId = () => {
    const engine = engines.at(-1);
    // To kill 0 would be to kill ourselves.
    if (engine === undefined) throw new Error('No engine is logged');
    return engine;
  };
  const remove = async (): Promise<void> => {
    await end(child);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    await ready(child, printed, log);
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataFolder,
    printed,
    log,
    processId: () => processId,
    engineProcessId,
    residentMb: () => residentMb(processId, engineProcessId()),
    descriptors: () => readdirSync(`/proc/${processId}/fd`).length,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async run(...given) {
      const { stdout } = await execute(process.execPath, [program, ...given, '--json'], { env });
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    remove,
  };
}

/** Earlier checkouts run their sources. */
function programOf(project: string): string {
  const built = join(project, 'dist/main.js');
  return existsSync(built) ? built : join(project, 'src/main.ts');
}

function commandOf(
  { descriptors, umask }: Partial<TargetOptions>,
  words: readonly string[],
): [string, ...string[]] {
  const before = [
    ...(descriptors === undefined ? [] : [`ulimit -n ${descriptors}`]),
    ...(umask === undefined ? [] : [`umask ${umask}`]),
    'exec "$0" "$@"',
  ];
  return ['/bin/sh', '-c', before.join('; '), process.execPath, ...words];
}

function ready(child: ChildProcess, printed: string[], log: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`The service ended (${code}):\n${log.slice(-5).join('\n')}`)),
    );
    if (!child.stdout) throw new Error('The output of the service is not read');
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed.push(line);
      if (line.includes('is ready')) resolve();
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
