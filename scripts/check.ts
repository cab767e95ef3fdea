/** npm run check: format, lint, types, dead code, the tidy test; stops at the first that fails. */
import { spawnSync } from 'node:child_process';

/** What the compiler found out is kept, so that a second check reads only what changed. */
const types = (project: string): readonly string[] => [
  'node_modules/typescript/bin/tsc',
  ...['--noEmit', '-p', project],
  ...['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${project}.tsbuildinfo`],
];

const checks: readonly (readonly string[])[] = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ...['tsconfig.json', 'demo', 'test/browser', 'tracker', 'client', 'dashboard'].map(types),
  ['node_modules/knip/bin/knip.js', '--no-progress'],
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.tidy.config.ts'],
];

for (const [program, ...args] of checks) {
  const { status } = spawnSync(process.execPath, [program as string, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
