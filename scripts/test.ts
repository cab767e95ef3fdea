/**
 * npm test: the checks, then the tests on the real parts, without those that repeat what others
 * show with another store, another signal or more kills (tagged `long`). With --all these as well.
 * Other arguments go to vitest, which then runs all that they name.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, nameOfProcess } from './processes.mjs';

const memoryFolder = '/dev/shm';
const folderPrefix = 'playmeter-tests-';
const gibibyte = 2 ** 30;

const given = process.argv.slice(2);
const filters = given.filter((word) => word !== '--all');
const namesNone = filters.length === 0;
const vitest = ['node_modules/vitest/vitest.mjs', 'run'];
const shortOnes = given.includes('--all') ? [] : ['--tags-filter=!long'];
/** They wait for the time to pass, until a lease ends or a retry falls due, and do little else. */
const waiting = ['test/faults/ended-exports.test.ts', 'test/faults/killed-alerts.test.ts'];

process.exitCode = await inFolder(chooseFolder(), async (TMPDIR) => {
  const run = startIn({ ...process.env, TMPDIR });
  if (!namesNone) return (await run([...vitest, ...filters], 'inherit')).status;
  const { status } = await run(['scripts/check.ts'], 'inherit');
  if (status !== 0) return status;
  const beside = run([...vitest, ...shortOnes, '--maxWorkers=1', ...waiting], 'pipe');
  const others = waiting.map((file) => `--exclude=${file}`);
  const outcomes = [await run([...vitest, ...shortOnes, ...others], 'inherit'), await beside];
  process.stdout.write(outcomes.map(({ printed }) => printed).join(''));
  return Math.max(...outcomes.map((outcome) => outcome.status));
});

/** Resolves when the script has ended; `pipe` keeps what it prints. */
function startIn(env: NodeJS.ProcessEnv) {
  return (words: readonly string[], output: 'inherit' | 'pipe') =>
    new Promise<{ readonly status: number; readonly printed: string }>((resolve) => {
      const child = spawn(process.execPath, words, { stdio: ['inherit', output, output], env });
      let printed = '';
      const keep = (chunk: Buffer) => {
        printed += chunk;
      };
      child.stdout?.on('data', keep);
      child.stderr?.on('data', keep);
      child.once('close', (code) => resolve({ status: code ?? 1, printed }));
    });
}

/**
 * The tests start hundreds of stores, each of which waits for a disk dozens of times. What is
 * killed keeps its files in memory as well; only a machine that loses its power would not.
 */
function chooseFolder(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    const hasRoom = bavail * bsize > 12 * gibibyte && process.availableMemory() > 16 * gibibyte;
    return hasRoom ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Does something with a new folder in this one, and leaves nothing there. */
async function inFolder<Result>(
  parent: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  for (const name of readdirSync(parent)) {
    // Left by tests that were killed: whose it is stands in its name.
    const isLeft = name.startsWith(folderPrefix) && !isAlive(name.slice(folderPrefix.length));
    if (isLeft) rmSync(join(parent, name), { recursive: true });
  }
  const folder = join(parent, `${folderPrefix}${nameOfProcess(process.pid)}`);
  mkdirSync(folder);
  // As the folder for temporary files is: PostgreSQL does not run as root, and has files here too.
  chmodSync(folder, 0o1777);
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
