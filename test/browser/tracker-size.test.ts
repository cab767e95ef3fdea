import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { trackerLimitGzipBytes } from '../../tracker/build.ts';
import { requireBuilt } from '../support/shared-parts.ts';

requireBuilt('pages');

test.each(['tracker.js', 'tracker.mjs'])('%s keeps to its budget', async (name) => {
  const built = await readFile(new URL(`../../tracker/dist/${name}`, import.meta.url));
  expect(gzipSync(built).length).toBeLessThanOrEqual(trackerLimitGzipBytes);
});

test.each([
  ['tracker.es2015.js', 'es2015'],
  ['tracker.js', 'es2019'],
  ['tracker.mjs', 'es2019'],
])('%s needs no later syntax than %s', async (name, target) => {
  const built = await readFile(new URL(`../../tracker/dist/${name}`, import.meta.url), 'utf8');
  const plain = { minify: false, charset: 'utf8' } as const;
  const lowered = await transform(built, { ...plain, target });
  const kept = await transform(built, { ...plain, target: 'esnext' });
  expect(lowered.code).toBe(kept.code);
});
