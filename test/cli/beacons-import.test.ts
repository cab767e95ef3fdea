/** History from a file, beside a service that runs and without one. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: ServiceProcess;
let accessKey: string;
beforeAll(async () => {
  service = await startServiceProcess();
  const where = ['--account', '1', '--folder', '1', '--title', 'History'];
  accessKey = String((await service.run('video', 'add', ...where)).accessKey);
  const what = ['--account', '1', '--package', '1', '--access-key', accessKey];
  await service.run('package', 'add', ...what);
});
afterAll(() => service?.remove());

const days = 40;
const viewsPerDay = 60;

/** One view a line, half a minute each, over forty days years ago. */
function history(): string[] {
  return Array.from({ length: days * viewsPerDay }, (_, index) => {
    const day = Math.floor(index / viewsPerDay);
    const at = new Date(Date.UTC(2019, 2, 1 + day, 10, index % viewsPerDay)).toISOString();
    const viewer = { userAgent: '(SM-G991N; Android 14) App/1.2' };
    const about = { accessKey, packageId: 1, ...viewer };
    return JSON.stringify({ view: `view-${index}`, stretch: 0, at, playMs: 30_000, ...about });
  });
}

test('a file is imported beside the running service, again without effect', async () => {
  const file = join(service.dataFolder, 'history.jsonl');
  const bad = ['{"view":', '', 'x'.repeat(100_000), '{"view":"v","stretch":0}'];
  await writeFile(file, [...history(), ...bad].join('\n'));
  const counts = { accepted: days * viewsPerDay, rejected: 3 };
  for (let run = 1; run <= 2; run += 1) {
    expect(await service.run('beacons', 'import', '--account', '1', file)).toEqual(counts);
    await expectCounted();
  }
}, 60_000);

test('standard input is imported while no service runs', async () => {
  await service.kill('SIGTERM');
  const later = history().map((line) => line.replace('2019-', '2020-'));
  const printed = await importInput(later.join('\n'));
  expect(JSON.parse(printed)).toEqual({ accepted: days * viewsPerDay, rejected: 0 });
  await service.start();
  await expectCounted();
  await expectCounted('2020');
}, 60_000);

test('an account or a file that is not there is said so', async () => {
  await expect(service.run('beacons', 'import', '--account', '77', '-')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no account 77'),
  });
  const file = join(service.dataFolder, 'none.jsonl');
  await expect(service.run('beacons', 'import', '--account', '1', file)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.jsonl'),
  });
});

interface Counted {
  readonly videoCount: string;
  readonly duration: string;
}

async function expectCounted(year = '2019'): Promise<void> {
  const query = new URLSearchParams({ sdate: `${year}-01-01`, edate: `${year}-12-31` });
  const address = `/report/statistics/video/v1/info/date?${query}&pageSize=100`;
  const ask = async () => {
    const response = await fetch(service.url + address, { headers: { 'x-api-key': service.key } });
    const { data } = (await response.json()) as { data: { list: Counted[] } };
    return data.list;
  };
  await waitUntil('the days of the history', async () => (await ask()).length === days);
  const expected = { videoCount: String(viewsPerDay), duration: String(viewsPerDay * 30) };
  for (const row of await ask()) expect(row).toMatchObject(expected);
}

function importInput(text: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../src/main.ts'),
      'beacons',
      'import',
      '--account',
      '1',
      '-',
      '--json',
    ],
    { env: { ...process.env, DATA_DIR: service.dataFolder }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  child.stdin.end(text);
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.once('exit', (code) => (code === 0 ? resolve(printed) : reject(new Error(`${code}`))));
  });
}
