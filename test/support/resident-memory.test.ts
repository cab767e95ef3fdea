import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { residentMb } from './resident-memory.ts';

/** A process that has filled so much memory, by its id. */
async function startProcess(filledMb: number): Promise<number> {
  const program = `global.kept = Buffer.alloc(${filledMb} * 2 ** 20, 1); console.log('filled');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

test('what processes have together: their own memory, and what they share once', {
  tags: 'long',
}, async () => {
  const [small, large] = [await startProcess(1), await startProcess(200)];
  const [ofSmall, ofLarge] = [residentMb(small), residentMb(large)];
  expect(ofLarge - ofSmall).toBeGreaterThan(190);
  expect(ofLarge - ofSmall).toBeLessThan(220);
  const together = residentMb(small, large);
  expect(together).toBeGreaterThan(ofLarge);
  // The program of Node alone is larger.
  expect(together).toBeLessThan(ofSmall + ofLarge - 20);
});

test('a process that is gone has none', () => {
  expect(residentMb(2 ** 30)).toBe(0);
});
