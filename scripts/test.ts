/**
 * npm test: the checks, then the tests on the real parts, without those that repeat what others
 * show with another store, another signal or more kills (tagged `long`). With --all these as well.
 * Other arguments go to vitest, which then runs all that they name.
 */
import { spawnSync } from 'node:child_process';
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
const chosen = namesNone && !given.includes('--all') ? ['--tags-filter=!long'] : filters;
const steps: readonly (readonly string[])[] = [
  ...(namesNone ? [['scripts/check.ts']] : []),
  ['node_modules/vitest/vitest.mjs', 'run', ...chosen],
];

process.exitCode = inFolder(chooseFolder(), (TMPDIR) => {
  for (const step of steps) {
    const env = { ...process.env, TMPDIR };
    const { status } = spawnSync(process.execPath, step, { stdio: 'inherit', env });
    if (status !== 0) return status ?? 1;
  }
  return 0;
});

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
function inFolder<Result>(parent: string, use: (folder: string) => Result): Result {
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
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
