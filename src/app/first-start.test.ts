import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../catalog/catalog.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { systemClock } from '../lib/time/clock.ts';
import { scopes } from '../vocabulary/scopes.ts';
import { prepareFirstStart } from './first-start.ts';

let folder: string;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-first-start-'));
  const location = { sqliteFile: join(folder, 'catalog.sqlite') };
  catalog = await openCatalog({ location, clock: systemClock });
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

test('makes an account with a clip that is served, once', async () => {
  const content = join(folder, 'content');
  const first = await prepareFirstStart(catalog, content);
  const { accountId = 0, key = '', videoKey = '' } = first ?? {};
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await catalog.accounts.list()).toMatchObject([{ accountId, timeZone }]);
  expect(await catalog.keys.authenticate(key)).toMatchObject({ accountId, scopes });
  const found = (await catalog.publications.identify([videoKey])).get(videoKey);
  expect(found).toMatchObject({ accountId });

  const [file = ''] = await readdir(content);
  const clip = await readFile(join(import.meta.dirname, '../../demo/clip.mp4'));
  expect(await readFile(join(content, file))).toEqual(clip);
  expect(file).toBe(`${found?.videoId}.mp4`);
  expect((await stat(join(content, file))).mode & 0o777).toBe(0o600);

  expect(await prepareFirstStart(catalog, content)).toBeUndefined();
  expect(await catalog.accounts.list()).toHaveLength(1);
});
