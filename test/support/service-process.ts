/** The real program as a process of its own, started, killed and started again by tests. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../../src/lib/network/free-port.ts';
import { program } from './program.ts';
import { residentMb } from './resident-memory.ts';
import type { SmallDisk } from './small-disk.ts';

const execute = promisify(execFile);
/** What is answered 500. */
const mistake = /"msg":"(request failed|the statistics store refuses a statement)"/;

export interface ServiceProcess {
  readonly url: string;
  readonly dataFolder: string;
  /** What the first start wrote into its file. */
  readonly key: string;
  readonly pageUrl: string;
  /** Resolves when it says that it is ready. */
  start(...options: string[]): Promise<void>;
  /** Of its first process, while it runs. */
  processId(): number;
  /** Process ids of all engines that it has started, the newest last. */
  engineProcesses(): readonly number[];
  /** The log of the last start, line by line. */
  log(): readonly string[];
  /** Process ids of all workers that it has started, the newest last. */
  workerProcesses(): readonly number[];
  /** Resident memory of the service and its engine together. */
  residentMb(): number;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void;
  /** Runs a verb of the command line on the same data; what it prints with --json. */
  run(...words: string[]): Promise<Record<string, unknown>>;
  /** Begins a verb; `ended` resolves to its exit code, null if a signal ended it. */
  begin(...words: string[]): { kill(signal: NodeJS.Signals): void; ended: Promise<number | null> };
  /** Kills what runs and deletes the data, unless they lie in a folder that was given. */
  remove(): Promise<void>;
}

interface ProcessOptions {
  readonly disk?: SmallDisk | undefined;
  /** One that stays when the process is removed. */
  readonly dataFolder?: string | undefined;
  /** Another process has made the catalog, and was given the first key. */
  readonly joins?: boolean;
}

/** Starts the program on an empty data folder, unless one or a disk is given. */
export async function startServiceProcess(
  environment: Readonly<Record<string, string>> = {},
  { disk, dataFolder: kept = disk?.folder, joins = false }: ProcessOptions = {},
): Promise<ServiceProcess> {
  const dataFolder = kept ?? (await mkdtemp(join(tmpdir(), 'playmeter-process-')));
  const commandFor = (...words: string[]): [string, string[]] => {
    const [first = '', ...rest] = [...(disk?.enter ?? []), ...words];
    return [first, rest];
  };
  const commandOf = (...words: string[]) => commandFor(process.execPath, ...words);
  const port = await freePort();
  const engines: number[] = [];
  const workers: number[] = [];
  let child: ChildProcess | undefined;
  let log: string[] = [];
  let key = '';
  let pageUrl = '';

  const start = (...options: string[]): Promise<void> => {
    const running = spawn(...commandOf(...packageJson.nodeFlags, program, 'serve', ...options), {
      env: { ...process.env, DATA_DIR: dataFolder, PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = running;
    log = [];
    createInterface({ input: running.stderr }).on('line', (line) => {
      log.push(line);
      // Of a process that is killed later nothing else would be left.
      if (mistake.test(line)) console.error(line);
      const processId = /"processId":(\d+).*engine is ready/.exec(line)?.[1];
      if (processId) engines.push(Number(processId));
      const workerId = /"processId":(\d+).*worker started/.exec(line)?.[1];
      if (workerId) workers.push(Number(workerId));
    });
    return new Promise((resolve, reject) => {
      running.once('exit', (code) =>
        reject(new Error(`The service ended (${code}):\n${log.slice(-20).join('\n')}`)),
      );
      createInterface({ input: running.stdout }).on('line', (line) => {
        const keyFile = /: (\S+first-key\.txt)$/.exec(line)?.[1];
        if (keyFile) {
          const text = execFileSync(...commandFor('cat', keyFile), { encoding: 'utf8' });
          key = /API key.*: (pm_\S+)/.exec(text)?.[1] ?? key;
          pageUrl = /(http\S+\/watch\/\S+)/.exec(text)?.[1] ?? pageUrl;
        }
        // The file is named last at a first start; at later ones there is nothing else.
        if (keyFile || (line.includes('is ready') && (key !== '' || joins))) resolve();
      });
    });
  };
  await start();

  const kill = (signal: NodeJS.Signals): Promise<number | null> =>
    new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve(null);
      child.once('exit', (code) => resolve(code));
      child.kill(signal);
    });
  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder,
    key,
    pageUrl,
    start,
    processId: () => child?.pid ?? 0,
    engineProcesses: () => engines,
    log: () => log,
    workerProcesses: () => workers,
    residentMb() {
      const engine = engines.at(-1) ?? 0;
      return residentMb(engine, child?.pid ?? 0);
    },
    kill,
    signal(signal) {
      child?.kill(signal);
    },
    async run(...words) {
      const env = { ...process.env, DATA_DIR: dataFolder, ...environment };
      // As scripts/run.mjs starts it.
      const command = commandFor('nice', process.execPath, program, ...words, '--json');
      const { stdout } = await execute(...command, { env });
      return JSON.parse(stdout) as Record<string, unknown>;
    },
    begin(...words) {
      const env = { ...process.env, DATA_DIR: dataFolder, ...environment };
      const begun = spawn(...commandOf(program, ...words), { env, stdio: 'ignore' });
      const ended = new Promise<number | null>((resolve) => begun.once('exit', resolve));
      return { ended, kill: (signal) => void begun.kill(signal) };
    },
    async remove() {
      await kill('SIGKILL');
      if (kept) return;
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
