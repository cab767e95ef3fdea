// What the program in dist/ was built from; see tracker/built-from.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestFiles } from '../digest-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the build notes the digest of its sources, once its files are in place. */
export const programStamp = join(root, 'dist/.built-from');

export function isProgramBuilt() {
  return existsSync(programStamp) && readFileSync(programStamp, 'utf8') === digestOfProgram();
}

export function digestOfProgram() {
  const sources = ['src', 'demo/data'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /(?<!\.test)\.ts$/.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  // The lockfile stands for the versions of the compiler and of the packages that go in.
  const build = ['scripts/program/build.ts', 'scripts/program/unbundled.ts'];
  return digestFiles(root, [...sources, ...build, 'package-lock.json']);
}
