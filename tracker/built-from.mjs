// What the tracker in dist/ was built from. Plain JavaScript without dependencies: scripts/run.mjs
// asks it with the machine's own Node, before it knows whether there is anything to build.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestFiles } from '../scripts/digest-files.mjs';

const own = dirname(fileURLToPath(import.meta.url));

/** Where the build notes the digest of its sources, once its files are in place. */
const stamp = 'dist/.built-from';

export function isTrackerBuilt(folder = own) {
  const file = stampOf(folder);
  return existsSync(file) && readFileSync(file, 'utf8') === digestOfSources(folder);
}

export function stampOf(folder = own) {
  return join(folder, stamp);
}

export function digestOfSources(folder = own) {
  // The lockfile stands for the compiler's version.
  const files = [
    ...sourcesIn(folder, 'src'),
    ...sourcesIn(folder, 'adapters'),
    ...sourcesIn(folder, '../client/src/sender'),
    'build.ts',
    '../package-lock.json',
  ];
  return digestFiles(folder, files);
}

function sourcesIn(folder, part) {
  const names = readdirSync(join(folder, part)).filter((name) => !name.includes('.test.'));
  return names.sort().map((name) => `${part}/${name}`);
}
