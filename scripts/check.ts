/** npm run check: format, lint, types, dead code, layers; stops at the first that fails. */
import { spawnSync } from 'node:child_process';

/** What the compiler found out is kept, so that a second check reads only what changed. */
const types = (project: string): readonly string[] => [
  'node_modules/typescript/bin/tsc',
  ...['--noEmit', '-p', project],
  ...['--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${project}.tsbuildinfo`],
];

const projects = ['tsconfig.json', 'demo', 'test/browser', 'tracker', 'client', 'dashboard'];
const checks: readonly (readonly [string, ...(readonly string[])[]])[] = [
  ['format, lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['types', ...projects.map(types)],
  ['dead code', ['node_modules/knip/bin/knip.js', '--no-progress']],
  ['layers', ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.tidy.config.ts']],
];

for (const [name, ...commands] of checks) {
  const begunAt = performance.now();
  for (const command of commands) {
    const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  console.log(`✓ ${name}, ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`);
}
