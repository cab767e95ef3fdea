/**
 * npm test: the checks, then the tests on the real parts, without those that repeat what others
 * show with another store, another signal or more kills (tagged `long`). With --all these as well,
 * and more random questions. Other arguments go to vitest, which then runs all that they name.
 */
import { spawnSync } from 'node:child_process';
import { inTestFolder } from './test-folder.ts';

/** See test/simulation/question-count.ts, which asks half as many otherwise. */
const questionsOfAll = 80;

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const filters = given.filter((word) => word !== '--all');
const namesNone = filters.length === 0;
const chosen = namesNone && !isAll ? ['--tags-filter=!long'] : filters;
const steps: readonly (readonly string[])[] = [
  ...(namesNone ? [['scripts/check.ts']] : []),
  ['node_modules/vitest/vitest.mjs', 'run', ...chosen],
];

process.exitCode = await inTestFolder((TMPDIR) => {
  for (const step of steps) {
    const env = { ...(isAll && { QUESTIONS: String(questionsOfAll) }), ...process.env, TMPDIR };
    const { status } = spawnSync(process.execPath, step, { stdio: 'inherit', env });
    if (status !== 0) return status ?? 1;
  }
  return 0;
});
