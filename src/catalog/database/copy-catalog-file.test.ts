import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { catalogStores } from '../../../test/support/catalogs.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { copyCatalogFile } from './copy-catalog-file.ts';

const nowMs = Date.UTC(2026, 10, 20, 12);
const hourMs = 3_600_000;

const [sqlite] = catalogStores();
if (sqlite === undefined) throw new Error('SQLite is the first');
afterAll(() => sqlite.stop());

test('no copy of a catalog has a byte of the salts, and their days begin anew', async () => {
  const clock = manualClock(nowMs);
  const { location, catalog } = await sqlite.startWithCatalog(clock);
  const file = 'sqliteFile' in location ? location.sqliteFile : '';
  const accounts: number[] = [];
  const salts: Buffer[] = [];
  // Enough for several pages, which were split when they were full.
  for (let number = 0; number < 150; number += 1) {
    const account = await catalog.accounts.create({ name: `Studio ${number}`, timeZone: 'UTC' });
    const { accountId } = accepted(account);
    accounts.push(accountId);
    for (const atMs of [nowMs, nowMs - 24 * hourMs]) {
      salts.push(Buffer.from((await catalog.salts.dayOf(accountId, atMs)).salt ?? []));
    }
  }
  const copied = `${file}.copy`;
  await copyCatalogFile(file, copied);

  const saltsIn = async (paths: readonly string[]) => {
    const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(path))));
    return salts.filter((salt) => bytes.includes(salt)).length;
  };
  const paths = (await readdir(dirname(file))).map((name) => join(dirname(file), name));
  const ofCopy = paths.filter((path) => path.startsWith(copied));
  expect(await saltsIn(paths.filter((path) => !ofCopy.includes(path)))).toBe(salts.length);
  expect(ofCopy).toEqual([copied]);
  expect(await saltsIn(ofCopy)).toBe(0);

  const [accountId = 0] = accounts;
  const restored = await sqlite.open({ sqliteFile: copied }, clock);
  expect(await restored.accounts.list()).toHaveLength(accounts.length);
  const { salt } = await restored.salts.dayOf(accountId, nowMs);
  expect(salt).toHaveLength(32);
  expect(salts.some((former) => former.equals(salt ?? Buffer.alloc(0)))).toBe(false);
});
