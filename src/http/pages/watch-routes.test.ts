import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireTracker } from './watch-routes.ts';

test('a start without a built tracker is refused with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-tracker-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const missing = (name: string) => ({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(`${name} is missing: start with npm start`),
  });
  for (const name of ['tracker.js', 'tracker.es2015.js', 'tracker.mjs']) {
    await expect(requireTracker(folder)).rejects.toMatchObject(missing(name));
    await writeFile(join(folder, name), '');
  }
  await requireTracker(folder);
});
