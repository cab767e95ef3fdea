import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { readSecret } from './identities.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-secret-'));
  return () => rm(folder, { recursive: true, force: true });
});

const read = (environment = {}) => readSecret(readConfig({ DATA_DIR: folder, ...environment }));
const keep = (text: string) => writeFile(join(folder, 'secret'), text);

test('is made once, for this user only', async () => {
  const secret = await read();
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await read()).toBe(secret);
  expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('of several that are the first, all have the same', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => read()));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(folder)).toEqual(['secret']);
});

test('APP_SECRET takes its place, and nothing is written', async () => {
  const APP_SECRET = 'x'.repeat(32);
  expect(await read({ APP_SECRET })).toBe(APP_SECRET);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['nothing', ''],
  ['31 characters', 'x'.repeat(31)],
])('%s, left by a start that was killed, is none', async (_, left) => {
  await keep(left);
  const secret = await read();
  expect(secret).toHaveLength(43);
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(secret);
});

test('32 characters are one', async () => {
  await keep('x'.repeat(32));
  expect(await read()).toBe('x'.repeat(32));
});
