/** Where tests have their temporary files. */
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, nameOfProcess } from './processes.mjs';

const memoryFolder = '/dev/shm';
const folderPrefix = 'playmeter-tests-';
const gibibyte = 2 ** 30;

/** Does something with a new folder, in memory if there is room, and leaves nothing there. */
export async function inTestFolder<Result>(
  use: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const parent = chooseFolder();
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
