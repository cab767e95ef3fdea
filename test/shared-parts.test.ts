/** The parts that test files share leave the outcome of a run as it is. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a run that failed ends with its code, also after PostgreSQL was started', () => {
  const parts = join(import.meta.dirname, 'support/start-shared-parts.ts');
  const run = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import setup from ${JSON.stringify(parts)};
    let folder = '';
    const stop = setup({ provide: (_name, given) => { folder = given; } });
    writeFileSync(folder + '/postgres.wanted', '');
    while (!existsSync(folder + '/postgres.json')) await setTimeout(50);
    await stop();
    process.exitCode = 3;`;
  const words = ['--input-type=module', '--eval', run];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
});
