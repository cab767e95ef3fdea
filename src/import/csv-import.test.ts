import { expect, test } from 'vitest';
import { openCatalogAlone } from '../../test/support/catalog-alone.ts';
import { countTurns } from '../../test/support/count-turns.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { createImportCsv } from './csv-import.ts';

/** What wrote, in the order of its turns of the event loop, and how many rows. */
interface Written {
  readonly what: string;
  readonly rows: number;
  readonly turn: number;
}

/** The catalog, which notes what an import writes; turns are counted until `stop`. */
function noting({ videos, folders, publications }: Catalog) {
  const written: Written[] = [];
  const { turn, stop } = countTurns();
  const note = (what: string, rows: number) => written.push({ what, rows, turn: turn() });
  const parts: Pick<Catalog, 'videos' | 'folders' | 'publications'> = {
    videos: {
      ...videos,
      putMany(accountId, batch) {
        note('put', batch.length);
        return videos.putMany(accountId, batch);
      },
    },
    folders: {
      ...folders,
      create(accountId, folder) {
        note('folder', 1);
        return folders.create(accountId, folder);
      },
    },
    publications: {
      ...publications,
      publishMany(accountId, packageId, accessKeys) {
        note('publish', accessKeys.length);
        return publications.publishMany(accountId, packageId, accessKeys);
      },
    },
  };
  return { parts, written, stop };
}

async function importing(csvs: readonly string[], packed = false) {
  const clock = manualClock();
  const catalog = await openCatalogAlone(clock);
  const { accountId } = accepted(
    await catalog.accounts.create({ name: 'Studio', timeZone: 'UTC' }),
  );
  const folder = accepted(await catalog.folders.create(accountId, { folderName: 'Films' }));
  const pack = accepted(await catalog.packages.create(accountId, { packageName: 'Web' }));
  const { parts, written, stop } = noting(catalog);
  const importCsv = createImportCsv(clock);
  const wanted = {
    ...{ accountId, timeZone: 'UTC', folderId: folder.folderId },
    ...(packed ? { packageId: pack.packageId } : {}),
  };
  const outcomes = await Promise.all(csvs.map((csv) => importCsv(parts, { ...wanted, csv })));
  stop();
  await catalog.close();
  return { outcomes, written };
}

const listOf = (name: string, rows: number) =>
  `cid,title\n${Array.from({ length: rows }, (_, row) => `${name}${row},Film\n`).join('')}`;
const rowsOf = (written: readonly Written[]) => written.map(({ what, rows }) => `${what} ${rows}`);

function expectTurnsOfTheirOwn(written: readonly Written[]) {
  const turns = written.map(({ turn }) => turn);
  expect(new Set(turns).size).toBe(turns.length);
}

test('writes at most 50 rows in a turn of the event loop, and then lets others go', async () => {
  const { outcomes, written } = await importing([listOf('a', 120)], true);
  expect(outcomes).toEqual([{ imported: 120, unchanged: 0, refused: 0, refusals: [] }]);
  expect(rowsOf(written).sort()).toEqual(
    ['put 50', 'put 50', 'put 20', 'publish 50', 'publish 50', 'publish 20'].sort(),
  );
  expectTurnsOfTheirOwn(written);
});

test('says everything that is wrong with a row at once, and makes no folder for it', async () => {
  const header = 'cid,title,duration,vFramerate,cdate,folderName\n';
  const long = 'x'.repeat(201);
  const rows = [
    `${'c'.repeat(65)},,"1,000",fast,20.11.2026,${long}\n`,
    ',Film,2 min,25,2026-02-30,Never made\n',
  ];
  const { outcomes, written } = await importing([header + rows.join('')]);
  const number = 'must be a plain number such as 125000: no separators and no unit';
  const date = 'cdate must be a day such as 2026-11-20, or an instant such as 2026-11-20T10:15:30Z';
  expect(
    outcomes[0]?.refusals.map(({ line, reason }) => [line, ...reason.split('; ').sort()]),
  ).toEqual([
    [
      2,
      date,
      expect.stringMatching(/^cid must not have more than 64 characters/),
      `duration ${number}`,
      expect.stringMatching(/^folderName must not have more than 200 characters/),
      'title is required',
      `vFramerate ${number}`,
    ],
    [3, 'accessKey or cid is required', date, `duration ${number}`],
  ]);
  expect(rowsOf(written)).toEqual(['put 0']);
});

test('takes decimal commas, and days of the account as those without a time', async () => {
  const clock = manualClock();
  const catalog = await openCatalogAlone(clock);
  const account = { name: 'Studio', timeZone: 'America/New_York' };
  const { accountId } = accepted(await catalog.accounts.create(account));
  const csv =
    'sep=;\ncid;accessKey;title;vFramerate;cdate;folderName;\n1;a;Film;23,976;2026-11-20;A;\n';
  const wanted = { accountId, timeZone: account.timeZone, csv };
  expect(await createImportCsv(clock)(catalog, wanted)).toMatchObject({
    imported: 1,
    refusals: [],
  });
  expect(await catalog.videos.find(accountId, 'a')).toMatchObject({
    frameRate: 23.976,
    createdAt: new Date('2026-11-20T05:00:00Z'),
  });
  await catalog.close();
});

test('refuses the line of a video that is deleted before it is published, and goes on', async () => {
  const clock = manualClock();
  const catalog = await openCatalogAlone(clock);
  const account = { name: 'Studio', timeZone: 'UTC' };
  const { accountId } = accepted(await catalog.accounts.create(account));
  const { packageId } = accepted(await catalog.packages.create(accountId, { packageName: 'Web' }));
  const publications: Catalog['publications'] = {
    ...catalog.publications,
    async publishMany(...batch) {
      accepted(await catalog.videos.delete(accountId, 'b'));
      return catalog.publications.publishMany(...batch);
    },
  };
  const csv = 'accessKey,title,folderName\na,Film,A\nb,Film,A\nc,Film,A\n';
  const wanted = { accountId, timeZone: account.timeZone, packageId, csv };
  expect(await createImportCsv(clock)({ ...catalog, publications }, wanted)).toEqual({
    ...{ imported: 2, unchanged: 0, refused: 1 },
    refusals: [{ line: 3, reason: 'There is no such video' }],
  });
  expect(await catalog.publications.find({ accountId, packageId, accessKey: 'c' })).toBeDefined();
  await catalog.close();
});

test('takes turns with other imports', async () => {
  const { written } = await importing(['a', 'b', 'c'].map((name) => listOf(name, 100)));
  expect(written.reduce((sum, { rows }) => sum + rows, 0)).toBe(300);
  expectTurnsOfTheirOwn(written);
});

test('writes fewer rows at once where they have long texts', async () => {
  const long = 'x'.repeat(4_000);
  const csv = `cid,title,content\n${[1, 2, 3].map((cid) => `${cid},Film,${long}\n`).join('')}`;
  const { written } = await importing([csv]);
  expect(rowsOf(written)).toEqual(['put 2', 'put 1']);
  expectTurnsOfTheirOwn(written);
});

test('makes one folder in a turn, and reads no more than a batch of bad rows', async () => {
  const folders = 'cid,title,folderName\n1,Film,A\n2,Film,B\n3,Film,C\n';
  const bad = `cid,title\n${'1,\n'.repeat(120)}`;
  const { outcomes, written } = await importing([folders, bad]);
  expect(outcomes.map(({ imported, refused }) => [imported, refused])).toEqual([
    [3, 0],
    [0, 120],
  ]);
  expect(rowsOf(written).filter((one) => one.startsWith('folder'))).toHaveLength(3);
  expectTurnsOfTheirOwn(written);
});
