import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { trackerLimitGzipBytes } from '../../tracker/build.ts';
import { requireBuilt } from '../support/shared-parts.ts';

requireBuilt('pages');

test.each(['tracker.js', 'tracker.mjs'])('%s keeps to its budget', async (name) => {
  const built = await readFile(new URL(`../../tracker/dist/${name}`, import.meta.url));
  expect(gzipSync(built).length).toBeLessThanOrEqual(trackerLimitGzipBytes);
});
