/** npm test: the checks, then every test on the real parts. Arguments go to vitest. */
import { spawnSync } from 'node:child_process';

const filters = process.argv.slice(2);
const steps: readonly (readonly string[])[] = [
  ...(filters.length === 0 ? [['scripts/check.ts']] : []),
  ['node_modules/vitest/vitest.mjs', 'run', ...filters],
];

for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
