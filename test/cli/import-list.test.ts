/** A library from CSV and JSON lines: whatever a list may hold, and interrupted on the way. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VideoQuery } from '../../src/catalog/library.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { verbsWith } from '../support/service-kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

let line: CommandLine;
let run: ReturnType<typeof verbsWith>;
beforeAll(async () => {
  line = await openCommandLine();
  run = verbsWith({ DATA_DIR: line.folder });
});
afterAll(() => line?.remove());

async function newFolder() {
  const { accountId, folderId } = await addLibrary(line.catalog);
  return { accountId, folderId };
}

async function importText(
  form: 'csv' | 'jsonl',
  where: { accountId: number; folderId?: number },
  text: string | Buffer,
  ...further: string[]
) {
  const file = join(line.folder, `list.${form}`);
  await writeFile(file, text);
  const folder = where.folderId === undefined ? [] : ['--folder', `${where.folderId}`];
  const account = ['--account', `${where.accountId}`];
  const words = ['video', 'import', ...account, ...folder, `--${form}`, file, '--json'];
  const { code, stdout, stderr } = await run(...words, ...further);
  return { code, counts: stdout === '' ? undefined : JSON.parse(stdout), stderr };
}

const whole: VideoQuery = {
  searchItem: 'title',
  keyword: '',
  sortItem: 'id',
  sortDirection: 'asc',
  pageSize: 1_000,
  page: 1,
};

async function titlesIn({ accountId, folderId }: { accountId: number; folderId: number }) {
  const { videos } = accepted(await line.catalog.videos.listFolder(accountId, folderId, whole));
  return videos.map(({ title }) => title);
}

const film = {
  accessKey: 'film-1',
  content: 'One line,\r\nand "another"',
  tag: '태그,b',
  duration: '9007199254740991',
  cdate: '2026-11-20T10:15:30.123Z',
  vFramerate: '23.976',
  title: '한글 😀 "quoted", comma',
  rate: '12',
  encodingSuccess: 'Y',
  thumbnailUrl: 'https://cdn.example/1.jpg',
};

/** What every field is called in the catalog is shown by video-forms.test.ts. */
const { duration: _, vFramerate: _rate, cdate, ...same } = film;
const stored = {
  ...{ ...same, durationMs: Number.MAX_SAFE_INTEGER, frameRate: 23.976 },
  createdAt: new Date(cdate),
};

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('CSV keeps every field: quotes, line breaks, any script, a mark, CRLF', async () => {
  const where = await newFolder();
  const header = Object.keys(film).join(',');
  const text = `\ufeff${header}\r\n${Object.values(film).map(cell).join(',')}\r\n\r\n`;
  const first = await importText('csv', where, text);
  expect(first).toEqual({ code: 0, counts: { imported: 1, unchanged: 0, refused: 0 }, stderr: '' });
  const found = await line.catalog.videos.find(where.accountId, 'film-1');
  expect(found).toMatchObject({ ...where, ...stored });
  const again = await importText('csv', where, text);
  expect(again.counts).toEqual({ imported: 0, unchanged: 1, refused: 0 });
  const changed = await importText('csv', where, text.replace('"12"', '"15"'));
  expect(changed.counts).toEqual({ imported: 1, unchanged: 0, refused: 0 });
  expect(await line.catalog.videos.find(where.accountId, 'film-1')).toMatchObject({ rate: '15' });
});

test('JSON lines keep every field, and take what the interface answers', async () => {
  const where = await newFolder();
  const answered = {
    ...film,
    videoId: 77,
    videoKey: 'k',
    serviceAble: 'Y',
    encodingSuccess: undefined,
    encoding_success: 'Y',
    duration: Number.MAX_SAFE_INTEGER,
    vFramerate: 23.976,
  };
  const { counts } = await importText('jsonl', where, JSON.stringify(answered));
  expect(counts).toEqual({ imported: 1, unchanged: 0, refused: 0 });
  const found = await line.catalog.videos.find(where.accountId, 'film-1');
  expect(found).toMatchObject({ ...where, ...stored });
});

test('each bad row is reported with its line, and affects no other', async () => {
  const where = await newFolder();
  const rows = [
    'accessKey,cid,title,duration,cdate',
    'good-1,,First,1000,',
    'bad-1,,Negative,-1,',
    'bad-2,,Not a number,1e3,',
    'bad 3,,Space in the key,1,',
    'bad-4,,Too many,1,,,',
    'bad-5,,,1,',
    ',,No key,1,',
    'bad-6,,No date,1,2026-02-30T00:00:00Z',
    'bad-7,,5" screen,1,',
    `bad-8,${'x'.repeat(65)},Long cid,1,`,
    `bad-9,,${'x'.repeat(300_000)},1,`,
    'bad-10,,"Never closed,1,',
    'good-2,,"Last, with ""quotes""",1000,2026-02-28T00:00:00Z',
    'good-3,,"Two',
    'lines",1000,',
  ];
  const report = join(line.folder, 'refused.jsonl');
  const { code, counts, stderr } = await importText(
    'csv',
    where,
    rows.join('\n'),
    '--report',
    report,
  );
  expect({ code, counts }).toEqual({ code: 1, counts: { imported: 2, unchanged: 0, refused: 12 } });
  expect(await titlesIn(where)).toEqual(['First', 'Last, with "quotes"']);
  const reported = (await readFile(report, 'utf8')).trimEnd().split('\n');
  const refusals = reported.map((text) => JSON.parse(text) as { line: number; reason: string });
  expect(stderr.trimEnd().split('\n')).toEqual(
    refusals.map((one) => `line ${one.line}: ${one.reason}`),
  );
  expect(refusals.map((one) => one.line)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15]);
});

test('what is imported is published, and the video keys are printed', async () => {
  const where = await newFolder();
  const { accountId } = where;
  const { packageId } = accepted(
    await line.catalog.packages.create(accountId, { packageName: 'Web' }),
  );
  const list = join(line.folder, 'published.csv');
  await writeFile(list, 'accessKey,title\n"a,b",One\nbad key,Two\ntwo,Two\n"a,b",One again\n');
  const words = ['video', 'import', '--account', `${accountId}`, '--folder', `${where.folderId}`];
  const publish = () => run(...words, '--csv', list, '--package', `${packageId}`);
  const { code, stdout, stderr } = await publish();
  const keyOf = async (accessKey: string) =>
    (await line.catalog.publications.find({ accountId, packageId, accessKey }))?.videoKey;
  const rows = ['accessKey,videoKey', `"a,b",${await keyOf('a,b')}`, `two,${await keyOf('two')}`];
  expect({ code, stdout }).toEqual({ code: 1, stdout: `${rows.join('\n')}\n` });
  expect(stderr).toMatch(/^line 3: accessKey .*\n3 videos imported, 0 unchanged, 1 refused\n$/);
  expect((await publish()).stdout).toBe(stdout);
});

test('bad JSON lines are reported too, and so is a list in another encoding', async () => {
  const where = await newFolder();
  const rows = [
    '{"accessKey":"good","title":"Good","tag":null,"cid":null}',
    '{"accessKey":"bad',
    '["accessKey"]',
    '',
    '{"accessKey":"x","title":"Unknown","colour":"red"}',
    `{"accessKey":"y","title":"${'x'.repeat(300_000)}"}`,
    '{"accessKey":7,"title":"A number"}',
    '{"title":"No key"}',
    '{"accessKey":"z","title":"Caf\xe9"}',
  ];
  const latin = Buffer.from(rows.join('\n'), 'latin1');
  const { code, counts, stderr } = await importText('jsonl', where, latin);
  expect({ code, counts }).toEqual({ code: 1, counts: { imported: 1, unchanged: 0, refused: 7 } });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'line 2: is not a JSON object',
    'line 3: is not a JSON object',
    'line 5: colour is not known',
    'line 6: is longer than 262144 bytes',
    'line 7: accessKey must be a string',
    'line 8: accessKey or cid is required',
    'line 9: is not valid UTF-8',
  ]);
});

test('a row without a key is known by its cid, and a folder by its name', async () => {
  const { accountId } = await newFolder();
  const text =
    'cid,title,folder_name\nown-1,First,Films\nown-2,Second,Series\nown-3,Third,Series\n';
  for (const counts of [
    { imported: 3, unchanged: 0, refused: 0 },
    { imported: 0, unchanged: 3, refused: 0 },
  ]) {
    expect((await importText('csv', { accountId }, text)).counts).toEqual(counts);
  }
  const folders = await line.catalog.folders.list(accountId);
  expect(folders.map(({ folderName }) => folderName)).toEqual(['Films', 'Series']);
  const titles = folders.map(({ folderId }) => titlesIn({ accountId, folderId }));
  expect(await Promise.all(titles)).toEqual([['First'], ['Second', 'Third']]);
  const homeless = await importText('csv', { accountId }, 'cid,title\nown-4,Fourth\n');
  expect(homeless.stderr).toBe('line 2: folderId or folderName is required\n');
});

test('what is wrong with the whole list is said at once', async () => {
  const where = await newFolder();
  const headers = {
    'accessKey,title,colour': 'names "colour"',
    'accessKey,title,Title': 'names title twice',
    'accessKey,cid': 'has no title column',
    'title,tag': 'has neither accessKey nor cid',
    '': 'in line 2 names "a"',
    'cid|title': 'separate the columns by commas, semicolons or tabs',
  };
  for (const [header, complaint] of Object.entries(headers)) {
    const { code, stderr } = await importText('csv', where, `${header}\na,b\n`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(complaint) });
  }
  const text = 'accessKey,title\na,b\n';
  const nobody = await importText('csv', { accountId: 999 }, text);
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('no account 999') });
  const nowhere = await importText('csv', { ...where, folderId: 999 }, text);
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no folder 999') });
  const both = await importText('csv', where, text, '--jsonl', 'x');
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('give media files') });
});

test('an import that was killed is finished by running it again, and its report is whole', {
  tags: 'long',
}, async () => {
  const where = await newFolder();
  const rowCount = 20_000;
  const isBad = (index: number) => index % 500 === 499;
  const indexes = Array.from({ length: rowCount }, (_, index) => index);
  const rows = indexes.map((index) => `key-${index},Film ${index},${isBad(index) ? 'x' : index}`);
  const file = join(line.folder, 'many.csv');
  await writeFile(file, ['accessKey,title,duration', ...rows].join('\n'));
  const report = join(line.folder, 'refused-of-many.jsonl');
  const account = ['--account', `${where.accountId}`, '--folder', `${where.folderId}`];
  const words = ['video', 'import', ...account, '--csv', file, '--report', report, '--json'];
  const { child, ended } = line.begin(words);
  const countNow = async () => {
    const { accountId, folderId } = where;
    return accepted(await line.catalog.videos.listFolder(accountId, folderId, whole)).totalCount;
  };
  await waitUntil('the first batch', async () => (await countNow()) > 0);
  child.kill('SIGKILL');
  await ended;

  const before = await countNow();
  // Of a thousand rows, two are bad.
  expect(before % 998).toBe(0);
  const bad = indexes.filter(isBad);
  const good = rowCount - bad.length;
  expect(before).toBeLessThan(good);
  const { stdout, stderr } = await line.run(...words);
  expect(JSON.parse(stdout)).toEqual({
    imported: good - before,
    unchanged: before,
    refused: bad.length,
  });
  expect(await countNow()).toBe(good);
  const { accountId } = where;
  const titleOf = async (key: string) => (await line.catalog.videos.find(accountId, key))?.title;
  expect(await titleOf('key-0')).toBe('Film 0');
  expect(await titleOf(`key-${rowCount - 2}`)).toBe(`Film ${rowCount - 2}`);
  const refusals = (await readFile(report, 'utf8')).trimEnd().split('\n');
  // Line 1 is the header.
  expect(refusals.map((text) => JSON.parse(text).line)).toEqual(bad.map((index) => index + 2));
  // The terminal shows the first twenty.
  expect(stderr.trimEnd().split('\n')).toHaveLength(21);
});
