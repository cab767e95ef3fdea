/** npm run check: format, lint, types and the tidy test; stops at the first that fails. */
import { spawnSync } from 'node:child_process';

const checks: readonly (readonly string[])[] = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['node_modules/typescript/bin/tsc', '--noEmit'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'demo'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/browser'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tracker'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'client'],
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.tidy.config.ts'],
];

for (const [program, ...args] of checks) {
  const { status } = spawnSync(process.execPath, [program as string, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
