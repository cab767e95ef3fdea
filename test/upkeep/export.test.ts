/** Exports as an operator runs them, beside a service: raw facts and answers, in every format. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryAnswer } from '../../src/wire/questions/audience-messages.ts';
import { compiledBefore } from '../support/command-line.ts';
import { describeKinds } from '../support/each-kind.ts';
import { holdStatement } from '../support/held-statement.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { program } from '../support/program.ts';
import { addFilm, type TestAccount, type TestService } from '../support/service.ts';
import {
  oneServer,
  type ServiceKind,
  type StartedService,
  serviceKinds,
} from '../support/service-kinds.ts';
import { waitUntil } from '../support/wait-until.ts';

const range = { sdate: '2026-11-01', edate: '2026-11-05' };
const ofRange = ['--from', range.sdate, '--to', range.edate];

let started: StartedService;
let service: TestService;
let account: TestAccount;
let store: ObjectStore;
let folder: string;
beforeAll(async () => {
  store = await startObjectStore();
});
afterAll(() => store?.close());

/** On an empty place for exports, with an account that has facts. */
async function start(kind: ServiceKind): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-export-'));
  started = await kind.start({ environment: store.environment });
  ({ service } = started);
  account = await fill(service);
}

async function stop(): Promise<void> {
  await started?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function fill(to: TestService): Promise<TestAccount> {
  const filled = await to.addAccount('Asia/Seoul');
  const { packageId, accessKey } = await addFilm(filled);
  const play = (view: string, at: string, more: object = {}) => {
    const beacon = { view, stretch: 0, at, playMs: 600_000, accessKey, packageId };
    return { ...beacon, viewer: `viewer of ${view}`, ...more };
  };
  const wait = (view: string, at: string, more: object) => {
    const beacon = { view, wait: 0, at, waitMs: 500, cause: 'start', outcome: 'played' };
    return { ...beacon, accessKey, packageId, mediaHost: 'cdn1.example', ...more };
  };
  const ofQuality = { mediaBits: 1_000_000, frames: 250, droppedFrames: 2 };
  const page = 'https://www.example.com/lesson';
  const beacons = [
    play('one', '2026-11-01T23:50:00.123Z', {
      position: 5_000,
      mediaMs: 700_000,
      page,
      ...ofQuality,
    }),
    // Grows, and is sent again.
    play('two', '2026-11-03T10:00:00Z', { playMs: 1_000 }),
    play('two', '2026-11-03T10:00:00Z', { playMs: 61_000, player: 'hls.js/1.7.2' }),
    // More time than there is.
    play('three', '2026-11-03T10:00:00Z', { playMs: 900_000 }),
    play('three', '2026-11-03T10:00:00Z', { stretch: 1, playMs: 900_000 }),
    ...[wait('one', '2026-11-01T23:49:59Z', { waitMs: 800, connection: '3g', streamType: 'vod' })],
    ...[wait('one', '2026-11-02T00:01:00Z', { wait: 1, cause: 'stall', waitMs: 4_000 })],
    wait('four', '2026-11-03T10:00:00Z', { outcome: 'failed', error: 'manifestLoadError' }),
  ];
  const answer = await to.send(beacons, { 'x-api-key': filled.key });
  expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
  await to.facts.rollUp();
  return filled;
}

const ofAccount = (...words: string[]) => [
  ...['export', '--account', String(account.accountId)],
  ...words,
];

async function exportOf(...words: string[]): Promise<string> {
  const { code, printed, complaints } = await started.run(...ofAccount(...words));
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
  return printed.join('\n');
}

/** What it writes into one file. */
async function exported(format: string, ...words: string[]): Promise<string> {
  const file = join(folder, `${randomUUID()}.${format}`);
  await exportOf(...words, '--format', format, file);
  return readFile(file, 'utf8');
}

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

/** By a reader that has nothing to do with the store; as JSON would have it. */
async function readBack(path: string): Promise<Row[]> {
  const file = new Uint8Array(await readFile(path)).buffer;
  const rows = await parquetReadObjects({ file, compressors });
  const plain = JSON.stringify(rows, (_, value) =>
    typeof value === 'bigint' ? Number(value) : (value as unknown),
  );
  return JSON.parse(plain) as Row[];
}

interface Answer {
  readonly data: Record<string, unknown>;
}

const v1 = `/report/statistics/video/v1`;
const v2 = `/report/statistics/video/v2`;
const asked = new URLSearchParams(range).toString();
const everything = 'plays,playMs,views,viewers,averagePlayMs,mediaMs';
const ofQuality =
  'attempts,exitShare,startFailureShare,failureShare,startupP95,stallsPerHour,stallMs,' +
  'stalledTimeShare,bitrate,droppedShare';
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
  ...['date', 'mediaHost', 'connection', 'streamType'].map(
    (name) => `${v2}/query?${asked}&measures=${ofQuality}&dimensions=${name}`,
  ),
  `${v2}/query?${asked}&measures=failures,stalls&dimensions=error`,
  `${v2}/concurrency?${asked}&interval=hour`,
];

/** Without what is of the one answer alone. */
function plain({ data }: Answer): Record<string, unknown> {
  const { requestId: _, ...rest } = data;
  return rest;
}

const environment = () => ({
  ...compiledBefore,
  ...store.environment,
  DATA_DIR: service.config.DATA_DIR,
  CLICKHOUSE_URL: service.config.CLICKHOUSE_URL,
  CLICKHOUSE_USER: service.config.CLICKHOUSE_USER,
  CLICKHOUSE_PASSWORD: service.config.CLICKHOUSE_PASSWORD,
  CLICKHOUSE_DATABASE: service.config.CLICKHOUSE_DATABASE,
});

/** As an operator does: in a process of its own. */
function runProcess(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...ofAccount(...words)],
      { env: environment() },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const ends = [
  { signal: 'SIGINT', code: 1, says: 'playmeter export: Interrupted\n' },
  { signal: 'SIGTERM', code: 1, says: 'playmeter export: Interrupted\n' },
  { signal: 'SIGKILL', code: null, says: '' },
] as const;

/** Begins an export and ends it as soon as it has come so far. */
async function endedBy(
  signal: NodeJS.Signals,
  { place, reached, env = {} }: { place: string; reached: () => boolean; env?: object },
) {
  const words = ofAccount('--facts', '--format', 'csv', place);
  const child = spawn(process.execPath, [program, ...words], { env: { ...environment(), ...env } });
  const [said, ended] = [text(child.stderr), once(child, 'exit')];
  await waitUntil('the second day', reached);
  child.kill(signal);
  const [code] = (await ended) as [number | null];
  return { code, says: await said };
}

describeKinds(serviceKinds, 'exports on $name', (kind) => {
  beforeAll(() => start(kind));
  afterAll(stop);

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

  // The bytes of a format come of the rows, wherever these are from.
  test.each(kind === oneServer ? ['csv', 'jsonl', 'parquet'] : ['parquet'])(
    'run again, %s has the same bytes, in S3 too',
    async (format) => {
      const place = join(folder, `again-${format}`);
      await exportOf('--facts', '--format', format, place);
      const first = await filesIn(place);
      expect(Object.keys(first)).toHaveLength(4);
      await exportOf('--facts', '--format', format, place);
      expect(await filesIn(place)).toEqual(first);
      const inStore = `${randomUUID()}/${format}`;
      await exportOf('--facts', '--format', format, `${store.location}/${inStore}`);
      for (const [path, bytes] of Object.entries(first)) {
        expect(await readFile(store.fileOf(`${inStore}/${path}`), 'latin1')).toBe(bytes);
      }
    },
  );

  test('Parquet read back has the rows of JSON lines', async () => {
    const file = join(folder, 'all.parquet');
    await exportOf('--facts', '--format', 'parquet', file);
    const lines = await exported('jsonl', '--facts');
    expect(await readBack(file)).toEqual(rowsIn(lines));

    const question = ['--measures', 'viewers', '--by', 'country', ...ofRange];
    const words = [...question, '--format', 'parquet', join(folder, 'answer.parquet')];
    expect(await started.run(...ofAccount(...words))).toMatchObject({
      code: 0,
      complaints: [
        expect.stringMatching(/^Views by how their viewer is known: \d+ by a name from the page/),
        'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0',
      ],
    });
  });

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
    const csv = await exported('csv', '--measures', 'plays', '--by', 'video', ...ofRange);
    expect(csv).toMatch(/^video,videoTitle,plays\r\n\S+,Film,3\r\n$/);
  });

  /** From a service with one server, whose numbers are others. */
  test('an account moves here: exported facts have the answers that they had', async () => {
    const elsewhere = await oneServer.start();
    try {
      const before = await fill(elsewhere.service);
      await service.addAccount();
      const moved = await service.addAccount('Asia/Seoul');
      await moved.addPackage();
      const { folderId = 0 } = (await service.catalog.folders.list(moved.accountId))[0] ?? {};
      const [video] = await elsewhere.service.catalog.videos.known(before.accountId, [1]);
      const fields = { folderId, title: 'Film', accessKey: video?.accessKey ?? '' };
      await service.catalog.videos.create(moved.accountId, fields);
      await service.catalog.videos.create(moved.accountId, { folderId, title: 'Another' });
      const file = join(folder, 'moving.jsonl');
      const ofBefore = ['--account', String(before.accountId), '--facts', '--format', 'jsonl'];
      expect(await elsewhere.run('export', ...ofBefore, file)).toMatchObject({ code: 0 });
      const importFrom = (path: string) =>
        started.run('beacons', 'import', '--account', String(moved.accountId), path, '--json');
      const lines = rowsIn(await readFile(file, 'utf8'));
      expect(JSON.parse((await importFrom(file)).printed[0] ?? '')).toEqual({
        accepted: lines.length,
        rejected: 0,
        erased: 0,
      });
      // Again, from another file: nothing counts twice.
      await writeFile(join(folder, 'again.jsonl'), await readFile(file));
      await importFrom(join(folder, 'again.jsonl'));
      await service.facts.rollUp();
      for (const route of questions) {
        const one = (await (await elsewhere.service.get(route, before.key)).json()) as Answer;
        const other = (await (await service.get(route, moved.key)).json()) as Answer;
        expect([route, plain(other)]).toEqual([route, plain(one)]);
      }
      const bad = { ...lines[0], video: 'none', slot: '2026-11-01T23:45:00Z' };
      const other = { ...lines[0], packageName: 'None' };
      const text = [bad, other, { slot: 1 }].map((line) => JSON.stringify(line)).join('\n');
      await writeFile(join(folder, 'bad.jsonl'), text);
      const { code, printed, complaints } = await importFrom(join(folder, 'bad.jsonl'));
      expect([code, JSON.parse(printed[0] ?? '')]).toEqual([
        1,
        { accepted: 0, rejected: 3, erased: 0 },
      ]);
      expect(complaints.join('\n')).toMatch(/video: the account has no none/);
      expect(complaints.join('\n')).toMatch(/no package with the name None/);
    } finally {
      await elsewhere.stop();
    }
  });

  test('a range replaces its days and keeps the others', async () => {
    const place = join(folder, 'range');
    // Days that no fact can lie in are as good as an open end.
    const [early, late] = ['1960-01-01', '2200-12-31'];
    await exportOf('--facts', '--format', 'csv', '--from', early, '--to', '2026-11-02', place);
    const before = await filesIn(place);
    await exportOf('--facts', '--format', 'csv', '--from', '2026-11-03', '--to', late, place);
    const after = await filesIn(place);
    expect(Object.keys(after).sort()).toEqual([
      ...['01', '02', '03'].map((day) => `dt=2026-11-${day}/facts.csv`),
      'manifest.json',
    ]);
    expect(after['dt=2026-11-01/facts.csv']).toBe(before['dt=2026-11-01/facts.csv']);
    const { files } = JSON.parse(after['manifest.json'] ?? '') as { files: object[] };
    expect(files).toHaveLength(3);
  });
});

describe('exports that end early', () => {
  beforeAll(() => start(oneServer));
  afterAll(stop);

  test('standard output has the rows of a file', async () => {
    const words = ['--facts', '--format', 'csv'];
    const { code, stdout, stderr } = await runProcess(...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(await exported('csv', '--facts'));
  });

  test('what is interrupted has no manifest, and is finished by running it again', async () => {
    const words = ['--facts', '--format', 'csv'];
    const place = `${store.location}/broken`;
    store.meet(({ line, pass, response }) =>
      line.startsWith('PUT') && line.includes('2026-11-02')
        ? response.writeHead(403).end()
        : pass(),
    );
    expect((await started.run(...ofAccount(...words, place))).code).toBe(1);
    store.meet(({ pass }) => pass());
    await expect(readFile(store.fileOf('broken/manifest.json'))).rejects.toThrow('ENOENT');
    await exportOf(...words, place);
    await expect(readFile(store.fileOf('broken/unfinished.json'))).rejects.toThrow('ENOENT');
    expect(JSON.parse(await readFile(store.fileOf('broken/manifest.json'), 'utf8'))).toMatchObject({
      files: [{}, {}, {}],
    });
  });

  test.each(ends)(
    'ended by $signal in the middle, it has no manifest in S3, and is finished later',
    async ({ signal, ...expected }) => {
      const place = `${store.location}/ended-${signal}`;
      let isHeld = false;
      store.meet(({ line, pass }) => {
        if (line.startsWith('PUT') && line.includes('2026-11-02')) isHeld = true;
        else pass();
      });
      expect(await endedBy(signal, { place, reached: () => isHeld })).toEqual(expected);
      store.meet(({ pass }) => pass());
      const manifest = store.fileOf(`ended-${signal}/manifest.json`);
      await expect(readFile(manifest)).rejects.toThrow('ENOENT');
      await exportOf('--facts', '--format', 'csv', place);
      expect(JSON.parse(await readFile(manifest, 'utf8'))).toMatchObject({ files: [{}, {}, {}] });
    },
  );

  test.each(ends)(
    'ended by $signal in the middle, it has no manifest in a folder, and is finished later',
    async ({ signal, ...expected }) => {
      const place = join(folder, `ended-${signal}`);
      // The end of the second day.
      const held = await holdStatement(
        service.config.CLICKHOUSE_URL ?? '',
        String(Date.UTC(2026, 10, 3) / 1_000),
      );
      const env = { CLICKHOUSE_URL: held.url };
      const ended = await endedBy(signal, { place, reached: () => held.held() > 0, env });
      held.close();
      expect(ended).toEqual(expected);
      expect(Object.keys(await filesIn(place)).sort()).toEqual([
        'dt=2026-11-01/facts.csv',
        'unfinished.json',
      ]);
      await exportOf('--facts', '--format', 'csv', place);
      const whole = join(folder, `whole-${signal}`);
      await exportOf('--facts', '--format', 'csv', whole);
      expect(await filesIn(place)).toEqual(await filesIn(whole));
    },
  );

  test('says what is wrong', async () => {
    const refusal = async (...words: string[]) => {
      const { code, complaints } = await started.run(...ofAccount(...words));
      return [code, complaints[0]];
    };
    const facts = ['--facts', '--format', 'csv'];
    const says = (code: number, text: string) => [code, `playmeter export: ${text}`];
    expect(await refusal('--facts', '--format', 'xml')).toEqual(
      says(2, '--format must be one of csv, jsonl, parquet'),
    );
    expect(await refusal(...facts, '--measures', 'plays')).toEqual(
      says(2, '--facts and --measures exclude each other'),
    );
    expect(await refusal('--format', 'csv')).toEqual(
      says(2, '--facts or --curve is required, or --measures'),
    );
    expect(await refusal(...facts, '--from', '2026-02-30')).toEqual(
      says(2, '--from must be a day, as 2026-11-20, not "2026-02-30"'),
    );
    await writeFile(join(folder, 'other.txt'), '');
    expect(await refusal(...facts, folder)).toEqual(
      says(1, `${folder} is not empty: name another place`),
    );
    const place = join(folder, 'lines');
    await exportOf('--facts', '--format', 'jsonl', place);
    expect(await refusal(...facts, place)).toEqual(
      says(1, `${place} has another export: name another place`),
    );
  });
});
