// What the dashboard in dist/ was built from; see tracker/built-from.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { digestFiles } from '../scripts/digest-files.mjs';

const own = dirname(fileURLToPath(import.meta.url));

/** Where the build notes the digest of its sources, once its files are in place. */
export const dashboardStamp = join(own, 'dist/.built-from');

export function isDashboardBuilt() {
  return (
    existsSync(dashboardStamp) &&
    readFileSync(dashboardStamp, 'utf8') === digestOfDashboardSources()
  );
}

export function digestOfDashboardSources() {
  // The lockfile stands for the versions of the compiler and of the packages that go in.
  const files = [
    ...sourcesIn('src'),
    ...sourcesIn('../client/src'),
    'build.ts',
    'plain-frame.ts',
    'index.html',
    '../package-lock.json',
  ];
  return digestFiles(own, files);
}

function sourcesIn(folder) {
  return readdirSync(join(own, folder), { recursive: true })
    .filter((name) => /(?<!\.test)\.(tsx?|css|json)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}
