/** The verbs for curves, beside a service that runs. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Retention } from '../../src/wire/questions/curves.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const date = '2026-03-05';

let service: ServiceProcess;
let account: TestAccount;
let accessKey: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-curves-'));
  service = await startServiceProcess({});
  account = await addProcessAccount(service, 'Asia/Seoul');
  const packageId = await account.addPackage();
  accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const headers = { 'x-api-key': account.key, 'content-type': 'application/json' };
  const video = `${service.url}/manage/v1/videos/${accessKey}`;
  const body = JSON.stringify({ duration: 10_000, title: '=1+1' });
  expect((await fetch(video, { method: 'PATCH', headers, body })).status).toBe(200);
  const about = { accessKey, packageId, at: `${date}T00:00:00Z`, playMs: 5_000, mediaMs: 5_000 };
  const views = [0, 2_500].map((position, view) => {
    return { view: `v${view}`, stretch: 0, position, ...about };
  });
  const sent = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ beacons: views }),
  });
  expect(await sent.json()).toEqual({ accepted: 2, rejected: [] });
  await waitUntil('both to be counted', async () => {
    const { views: counted } = (await service.run('retention', ...ofVideo())).data as Retention;
    return counted === 2;
  });
});
afterAll(async () => {
  await service?.remove();
  await rm(folder, { recursive: true });
});

function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATA_DIR: service.dataFolder };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const ours = () => ['--account', String(account.accountId)];
const range = ['--from', date, '--to', date];
const ofVideo = () => [...ours(), ...range, '--access-key', accessKey, '--parts', '4'];

test('concurrency by day, and live', async () => {
  const day = await run('concurrency', ...ours(), ...range, '--interval', 'day', '--csv');
  const peakAt = `${date}T09:00:00.000+09:00`;
  expect(day.stdout).toBe(`time,peak,peakAt,average\r\n${date},2,${peakAt},0\r\n`);
  const live = await run('live', ...ours());
  expect(live).toMatchObject({ code: 0, stderr: '' });
  expect(live.stdout).toMatch(/^0 playing at /);
  const videos = await run('live', ...ours(), '--csv');
  expect(videos.stdout).toBe('video,videoTitle,playing\r\n');
  const minutes = await run('live', ...ours(), '--csv', '--list', 'lastMinutes');
  expect(minutes.stdout).toMatch(/^time,peak\r\n\d{4}-\d\d-\d\dT[\d:]+\+09:00,0\r\n/);
});

test('how playback time is spread over views', async () => {
  const asked = ['distribution', ...ours(), ...range, '--measure', 'playMs'];
  const shown = await run(...asked);
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  expect(shown.stdout).toMatch(/^2 views, in ms: mean \d+, p50 \d+, p75 \d+, p95 \d+, p99 \d+\n/);
  const csv = await run(...asked, '--csv');
  expect(csv.stdout).toMatch(/^from,to,views\r\n0,10,\d\r\n10,13,\d\r\n/);
  const before = await run(...asked, '--compare', 'previous', '--json');
  expect(JSON.parse(before.stdout)).toMatchObject({ data: { views: 2, previous: null } });
});

test('both are exported with what they answer, and again to the same bytes', async () => {
  const retention = ['export', '--curve', 'retention', ...ofVideo()];
  const file = join(folder, 'retention.jsonl');
  const said = await service.run(...retention, '--format', 'jsonl', file);
  const { list, ...totals } = (await service.run('retention', ...ofVideo())).data as Retention;
  expect(said).toMatchObject({ rows: 4, totals });
  const written = await readFile(file, 'utf8');
  expect(written).toBe(list.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await service.run(...retention, '--format', 'jsonl', file);
  expect(await readFile(file, 'utf8')).toBe(written);
  const csv = await run(...retention, '--format', 'csv');
  expect(csv.stdout).toMatch(/^part,fromMs,toMs,audience,watched\r\n0,0,2500,1,0.5\r\n/);

  const place = join(folder, 'concurrency');
  const both = ['--from', '2026-03-04', '--to', date];
  const concurrency = ['export', '--curve', 'concurrency', ...ours(), ...both];
  await service.run(...concurrency, '--interval', 'day', '--format', 'parquet', place);
  const rowsOf = async (day: string) => {
    const bytes = new Uint8Array(await readFile(join(place, `dt=${day}`, 'rows.parquet')));
    return parquetReadObjects({ file: bytes.buffer, compressors });
  };
  expect(await rowsOf('2026-03-04')).toEqual([
    { time: '2026-03-04', peak: 0n, peakAt: null, average: 0 },
  ]);
  expect(await rowsOf(date)).toEqual([
    { time: date, peak: 2n, peakAt: `${date}T09:00:00.000+09:00`, average: 0 },
  ]);
  const manifest = JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8'));
  expect(manifest.export).toMatchObject({ what: 'concurrency', interval: 'day' });
});

test('what is wrong is said by the names of the options', async () => {
  const curve = ['export', ...ours(), ...range, '--curve'];
  const cases: [string[], number, RegExp][] = [
    [['retention', ...ours(), ...range], 2, /--access-key is required/],
    [['concurrency', ...ours(), ...range, '--interval', 'week'], 2, /--interval must be one of/],
    [['concurrency', ...ours(), '--from', date, '--to', '2026-02-30'], 2, /--to must be a date/],
    [['concurrency', ...ours(), ...range, '--filter', 'x==1'], 2, /--filter has no dimension/],
    [['live', ...ours(), '--csv', '--json'], 2, /exclude each other/],
    [['live', ...ours(), '--list', 'hours'], 2, /--list must be one of/],
    [[...curve, 'live', '--format', 'csv'], 2, /--curve must be retention or concurrency/],
    [[...curve, 'retention', '--format', 'csv'], 2, /--access-key is required/],
    [
      [...curve, 'concurrency', '--parts', '4', '--format', 'csv'],
      2,
      /--curve and --parts exclude/,
    ],
    [[...curve, 'concurrency', '--interval', 'week', '--format', 'csv'], 2, /--interval must be/],
    [['live', '--account', '987654'], 1, /There is no account 987654/],
  ];
  for (const [words, code, complaint] of cases) {
    const ran = await run(...words);
    expect([words, ran.code, ran.stdout]).toEqual([words, code, '']);
    expect(ran.stderr).toMatch(complaint);
  }
});
