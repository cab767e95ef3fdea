/** Exports as an operator runs them, beside a service: raw facts and answers, in every format. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueryAnswer } from '../../src/wire/audience-messages.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const program = join(import.meta.dirname, '../../src/main.ts');
const range = { sdate: '2026-11-01', edate: '2026-11-05' };
const ofRange = ['--from', range.sdate, '--to', range.edate];

let service: TestService;
let account: TestAccount;
let store: ObjectStore;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  store = await startObjectStore();
  folder = await mkdtemp(join(tmpdir(), 'playmeter-export-'));
  account = await service.addAccount('Asia/Seoul');
  const [packageId, accessKey] = [await account.addPackage(), await account.addVideo()];
  await account.publish(packageId, accessKey);
  const play = (view: string, at: string, more: object = {}) => {
    const beacon = { view, stretch: 0, at, playMs: 600_000, accessKey, packageId };
    return { ...beacon, viewer: `viewer of ${view}`, ...more };
  };
  const page = 'https://www.example.com/lesson';
  const beacons = [
    play('one', '2026-11-01T23:50:00.123Z', { position: 5_000, mediaMs: 700_000, page }),
    // Grows, and is sent again.
    play('two', '2026-11-03T10:00:00Z', { playMs: 1_000 }),
    play('two', '2026-11-03T10:00:00Z', { playMs: 61_000, player: 'hls.js/1.7.2' }),
    // More time than there is.
    play('three', '2026-11-03T10:00:00Z', { playMs: 900_000 }),
    play('three', '2026-11-03T10:00:00Z', { stretch: 1, playMs: 900_000 }),
  ];
  const answer = await service.send(beacons, { 'x-api-key': account.key });
  expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
  await service.facts.rollUp();
});
afterAll(async () => {
  await service?.stop();
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (...words: string[]) => runOn(service, ...words);

function runOn({ config }: TestService, ...words: string[]): Promise<Ran> {
  const env = {
    ...store.environment,
    DATA_DIR: config.DATA_DIR,
    CLICKHOUSE_URL: config.CLICKHOUSE_URL,
    CLICKHOUSE_USER: config.CLICKHOUSE_USER,
    CLICKHOUSE_PASSWORD: config.CLICKHOUSE_PASSWORD,
    CLICKHOUSE_DATABASE: config.CLICKHOUSE_DATABASE,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...words], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

async function runWell(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const exportOf = (...words: string[]) =>
  runWell('export', '--account', String(account.accountId), ...words);

/** All files of a folder, by path. */
async function filesIn(place: string): Promise<Record<string, string>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile());
  const read = paths.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(place.length + 1), await readFile(path, 'latin1')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

type Row = Record<string, string | number | null>;
const rowsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
const sumOf = (rows: readonly Row[], name: string) =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0);

async function ask(parameters: Record<string, string>): Promise<QueryAnswer['data']> {
  const query = new URLSearchParams({ ...range, ...parameters });
  const response = await service.get(`/report/statistics/video/v2/query?${query}`, account.key);
  return ((await response.json()) as QueryAnswer).data;
}

test('raw facts are merged, in files by day, and add up to the answers', async () => {
  const place = join(folder, 'facts');
  const said = JSON.parse(await exportOf('--facts', '--format', 'jsonl', place, '--json'));
  const files = await filesIn(place);
  const days = ['2026-11-01', '2026-11-02', '2026-11-03'];
  expect(Object.keys(files).sort()).toEqual([
    ...days.map((day) => `dt=${day}/facts.jsonl`),
    'manifest.json',
  ]);
  const rows = days.flatMap((day) => rowsIn(files[`dt=${day}/facts.jsonl`] ?? ''));
  expect(said).toMatchObject({ files: 3, rows: rows.length });
  const { plays, playMs } = (await ask({ measures: 'plays,playMs' })).totals;
  expect([sumOf(rows, 'plays'), sumOf(rows, 'countedMs')]).toEqual([plays, playMs]);
  expect(rows[0]).toMatchObject({
    ...{ slot: '2026-11-01T23:45:00.000Z', startedAt: '2026-11-01T23:50:00.123Z' },
    ...{ packageName: 'Site', plays: 1, position: 5_000, mediaMs: 700_000 },
    ...{ host: 'www.example.com', viewer: expect.stringMatching(/^\d+$/) },
  });
  expect(rows.filter(({ player }) => player === 'hls.js/1.7.2')).toMatchObject([
    { playMs: 61_000, position: null },
  ]);
});

test.each(['csv', 'jsonl', 'parquet'])(
  'run again, %s has the same bytes, in S3 too',
  async (format) => {
    const place = join(folder, `again-${format}`);
    await exportOf('--facts', '--format', format, place);
    const first = await filesIn(place);
    expect(Object.keys(first)).toHaveLength(4);
    await exportOf('--facts', '--format', format, place);
    expect(await filesIn(place)).toEqual(first);
    const inStore = `exports/${format}`;
    await exportOf('--facts', '--format', format, `${store.location}/${inStore}`);
    for (const [path, bytes] of Object.entries(first)) {
      expect(await readFile(store.fileOf(`${inStore}/${path}`), 'latin1')).toBe(bytes);
    }
  },
);

test('Parquet read back has the rows of JSON lines', async () => {
  const file = join(folder, 'all.parquet');
  await exportOf('--facts', '--format', 'parquet', file);
  const lines = await exportOf('--facts', '--format', 'jsonl');
  expect(await readBack(file)).toEqual(rowsIn(lines));

  const answer = join(folder, 'answer.parquet');
  const question = ['--measures', 'plays,averageSeen,viewers', '--by', 'date,package'];
  await exportOf(...question, ...ofRange, '--compare', 'previous', '--format', 'parquet', answer);
  const { list } = await ask({
    ...{ measures: 'plays,averageSeen,viewers', dimensions: 'date,package' },
    compare: 'previous',
  });
  const flat = list.map(({ previous, ...row }) => ({
    ...row,
    'previous.plays': null,
    'previous.averageSeen': null,
    'previous.viewers': null,
  }));
  expect(await readBack(answer)).toEqual(flat);
});

/** By a reader that has nothing to do with the store; as JSON would have it. */
async function readBack(path: string): Promise<Row[]> {
  const file = new Uint8Array(await readFile(path)).buffer;
  const rows = await parquetReadObjects({ file, compressors });
  const plain = JSON.stringify(rows, (_, value) =>
    typeof value === 'bigint' ? Number(value) : (value as unknown),
  );
  return JSON.parse(plain) as Row[];
}

test('an answer goes into files by day, and its rows add up to its totals', async () => {
  const place = join(folder, 'answer');
  const question = ['--measures', 'plays,playMs', '--by', 'hour', ...ofRange];
  await exportOf(...question, '--format', 'jsonl', place);
  const { 'manifest.json': manifest, ...files } = await filesIn(place);
  expect(Object.keys(files).sort()).toEqual([
    'dt=2026-11-02/rows.jsonl',
    'dt=2026-11-03/rows.jsonl',
  ]);
  const rows = Object.keys(files)
    .sort()
    .flatMap((path) => rowsIn(files[path] ?? ''));
  const { list, totals } = await ask({ measures: 'plays,playMs', dimensions: 'hour' });
  expect(rows).toEqual(list);
  expect({ plays: sumOf(rows, 'plays'), playMs: sumOf(rows, 'playMs') }).toEqual(totals);
  expect(JSON.parse(manifest ?? '')).toMatchObject({ export: { what: 'question' } });
  const csv = await exportOf('--measures', 'plays', '--by', 'video', ...ofRange, '--format', 'csv');
  expect(csv).toMatch(/^video,videoTitle,plays\r\n\S+,Film,3\r\n$/);
});

test('an account moves: exported facts give another service the same answers', async () => {
  const target = await startTestService();
  try {
    // Other numbers, and the same names.
    await target.addAccount();
    const moved = await target.addAccount('Asia/Seoul');
    await moved.addPackage();
    const { folderId = 0 } = (await target.catalog.folders.list(moved.accountId))[0] ?? {};
    const [video] = await service.catalog.videos.known(account.accountId, [1]);
    const fields = { folderId, title: 'Film', accessKey: video?.accessKey ?? '' };
    await target.catalog.videos.create(moved.accountId, fields);
    await target.catalog.videos.create(moved.accountId, { folderId, title: 'Another' });
    const file = join(folder, 'moving.jsonl');
    await exportOf('--facts', '--format', 'jsonl', file);
    const importInto = (path: string) =>
      runOn(target, 'beacons', 'import', '--account', String(moved.accountId), path, '--json');
    const lines = rowsIn(await readFile(file, 'utf8'));
    expect(JSON.parse((await importInto(file)).stdout)).toEqual({
      accepted: lines.length,
      rejected: 0,
    });
    // Again, from another file: nothing counts twice.
    await writeFile(join(folder, 'again.jsonl'), await readFile(file));
    await importInto(join(folder, 'again.jsonl'));
    for (const address of questions) {
      const one = (await (await service.get(address, account.key)).json()) as Answer;
      const other = (await (await target.get(address, moved.key)).json()) as Answer;
      expect([address, plain(other)]).toEqual([address, plain(one)]);
    }
    const bad = { ...lines[0], video: 'none', slot: '2026-11-01T23:45:00Z' };
    const other = { ...lines[0], packageName: 'None' };
    const text = [bad, other, { slot: 1 }].map((line) => JSON.stringify(line)).join('\n');
    await writeFile(join(folder, 'bad.jsonl'), text);
    const { code, stdout, stderr } = await importInto(join(folder, 'bad.jsonl'));
    expect([code, JSON.parse(stdout)]).toEqual([1, { accepted: 0, rejected: 3 }]);
    expect(stderr).toMatch(/video: the account has no none/);
    expect(stderr).toMatch(/no package with the name None/);
  } finally {
    await target.stop();
  }
});

interface Answer {
  readonly data: Record<string, unknown>;
}

const v1 = `/report/statistics/video/v1`;
const v2 = `/report/statistics/video/v2`;
const asked = new URLSearchParams(range).toString();
const everything = 'plays,playMs,views,viewers,averagePlayMs,mediaMs';
const questions = [
  `${v1}/info/date?${asked}`,
  `${v1}/info/date/hour?date=2026-11-03`,
  `${v1}/os?${asked}`,
  ...[
    'video',
    'date',
    'hour',
    'os',
    'browser',
    'country',
    'viewerKind',
    'host',
    'page',
    'player',
  ].map((name) => `${v2}/query?${asked}&measures=${everything}&dimensions=${name}`),
  `${v2}/concurrency?${asked}&interval=hour`,
];

/** Without what is of the one answer alone. */
function plain({ data }: Answer): Record<string, unknown> {
  const { requestId: _, ...rest } = data;
  return rest;
}

test('a range replaces its days and keeps the others', async () => {
  const place = join(folder, 'range');
  await exportOf('--facts', '--format', 'csv', '--to', '2026-11-02', place);
  const before = await filesIn(place);
  await exportOf('--facts', '--format', 'csv', '--from', '2026-11-03', place);
  const after = await filesIn(place);
  expect(Object.keys(after).sort()).toEqual([
    ...['01', '02', '03'].map((day) => `dt=2026-11-${day}/facts.csv`),
    'manifest.json',
  ]);
  expect(after['dt=2026-11-01/facts.csv']).toBe(before['dt=2026-11-01/facts.csv']);
  const { files } = JSON.parse(after['manifest.json'] ?? '') as { files: object[] };
  expect(files).toHaveLength(3);
});

test('what is broken off has no manifest, and is finished by running it again', async () => {
  const words = ['export', '--account', String(account.accountId), '--facts', '--format', 'csv'];
  const place = `${store.location}/broken`;
  store.meet(({ line, pass, response }) =>
    line.startsWith('PUT') && line.includes('2026-11-02') ? response.writeHead(403).end() : pass(),
  );
  expect((await run(...words, place)).code).toBe(1);
  store.meet(({ pass }) => pass());
  await expect(readFile(store.fileOf('broken/manifest.json'))).rejects.toThrow('ENOENT');
  await runWell(...words, place);
  await expect(readFile(store.fileOf('broken/unfinished.json'))).rejects.toThrow('ENOENT');
  expect(JSON.parse(await readFile(store.fileOf('broken/manifest.json'), 'utf8'))).toMatchObject({
    files: [{}, {}, {}],
  });
});

test('says what is wrong', async () => {
  const refusal = async (...words: string[]) => {
    const { code, stderr } = await run('export', '--account', String(account.accountId), ...words);
    return [code, stderr.split('\n')[0]];
  };
  const facts = ['--facts', '--format', 'csv'];
  const says = (code: number, text: string) => [code, `playmeter export: ${text}`];
  expect(await refusal('--facts', '--format', 'xml')).toEqual(
    says(2, '--format must be one of csv, jsonl, parquet'),
  );
  expect(await refusal(...facts, '--measures', 'plays')).toEqual(
    says(2, '--facts and --measures exclude each other'),
  );
  expect(await refusal('--format', 'csv')).toEqual(says(2, '--facts is required, or --measures'));
  expect(await refusal(...facts, '--from', '2026-02-30')).toEqual(
    says(2, '--from must be a day, as 2026-11-20, not "2026-02-30"'),
  );
  await writeFile(join(folder, 'other.txt'), '');
  expect(await refusal(...facts, folder)).toEqual(
    says(1, `${folder} is not empty: name another place`),
  );
  const place = join(folder, 'facts');
  expect(await refusal(...facts, place)).toEqual(
    says(1, `${place} has another export: name another place`),
  );
});
