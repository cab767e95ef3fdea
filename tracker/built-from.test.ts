import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { digestOfSources, isTrackerBuilt, stampOf } from './built-from.mjs';

test('what is served is what the sources say', () => {
  expect(isTrackerBuilt()).toBe(true);
});

test.each([
  ...['tracker/src/a.ts', 'tracker/src/new.ts', 'client/src/sender/a.ts'],
  ...['tracker/build.ts', 'package-lock.json'],
])('a change of %s is built, one of a test is not', async (changed) => {
  const root = await mkdtemp(join(tmpdir(), 'playmeter-tracker-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'tracker');
  for (const name of ['src', 'adapters', 'dist', '../client/src/sender']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  for (const name of ['tracker/src/a.ts', 'tracker/build.ts', 'package-lock.json']) {
    await writeFile(join(root, name), 'before');
  }
  expect(isTrackerBuilt(folder)).toBe(false);
  await writeFile(stampOf(folder), digestOfSources(folder));
  await writeFile(join(folder, 'src/a.test.ts'), 'a test');
  expect(isTrackerBuilt(folder)).toBe(true);
  await writeFile(join(root, changed), 'after');
  expect(isTrackerBuilt(folder)).toBe(false);
});
