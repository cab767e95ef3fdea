/** Every way into the tracker's package that its manifest names, from where npm has installed it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../tracker/package.json' with { type: 'json' };
import { outsideNpm } from '../support/packed-product.ts';
import { requireBuilt } from '../support/shared-parts.ts';

requireBuilt('pages');

const tracker = join(import.meta.dirname, '../../tracker');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-packed-tracker-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const npm = (cwd: string, ...words: string[]) =>
    execFileSync('npm', words, { cwd, env: outsideNpm(), encoding: 'utf8' }).trim();
  const tarball = npm(tracker, 'pack', '--ignore-scripts', '--pack-destination', folder);
  npm(folder, 'install', '--offline', '--ignore-scripts', join(folder, tarball));
});
afterAll(() => rmSync(folder, { recursive: true }));

const resolve = (path: string) =>
  createRequire(join(folder, 'package.json')).resolve(join('@playmeter/tracker', path));

test.each(Object.keys(manifest.exports))('%s is in the package', (path) => {
  expect(resolve(path)).toContain(folder);
});

test.each([
  ['.', 'track'],
  ['./hlsjs', 'observe'],
  ['./dashjs', 'observe'],
  ['./shaka', 'observe'],
  ['./videojs', 'observe'],
])('%s gives %s()', async (path, name) => {
  const module = await import(pathToFileURL(resolve(path)).href);
  expect(module[name]).toBeInstanceOf(Function);
});
