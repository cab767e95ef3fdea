/** Every command of docs/questions.md runs, beside a service with playback. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const execute = promisify(execFile);
/** Beside tables of countries, and not in them. */
const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0\n';
const root = join(import.meta.dirname, '../..');
const program = join(root, 'src/main.ts');
const page = readFileSync(join(root, 'docs/questions.md'), 'utf8');
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, lines = '']) => lines.trim().split('\n'))
  .filter((line) => line !== '');
const local = commands.filter((line) => line.startsWith('playmeter query '));
const remote = commands.filter((line) => line.startsWith('curl '));

let service: ServiceProcess;
let account: TestAccount;
let client: Playmeter;
let accessKey: string;
beforeAll(async () => {
  service = await startServiceProcess();
  account = await addProcessAccount(service, 'UTC');
  client = new Playmeter({ url: service.url, key: account.key });
  accessKey = await account.addVideo();
  await client.manage.changeVideo(accessKey, { duration: 60_000 });
  const packageId = await account.addPackage();
  await account.publish(packageId, accessKey);
  const mediaMs = 30_000;
  const beacons = ['2026-09-12', '2026-10-05', '2026-10-31'].map((day, index) => ({
    ...{ view: `view ${index}`, stretch: 0, at: `${day}T20:15:00Z`, playMs: 30_000 },
    ...{ position: 0, mediaMs, accessKey, packageId, viewer: 'somebody' },
  }));
  const { accepted } = await client.beacons.send(beacons);
  expect(accepted).toBe(3);
  const october = { sdate: '2026-10-01', edate: '2026-10-31', measures: ['plays'] } as const;
  const playsOfOctober = async () => (await client.statistics.query(october)).totals.plays;
  await waitUntil('the plays are counted', async () => (await playsOfOctober()) === 2);
});
afterAll(() => service?.remove());

test('the page has nothing but these commands', () => {
  expect([...local, ...remote].toSorted()).toEqual(commands.toSorted());
  expect(local.length).toBeGreaterThan(10);
});

async function run(command: string): Promise<string> {
  const line = command.replace('--account 1 ', `--account ${account.accountId} `);
  const script = `playmeter() { "$NODE" "$PROGRAM" "$@"; }; ${line}`;
  const env = { ...process.env, DATA_DIR: service.dataFolder, NODE: process.execPath };
  const ran = await execute('sh', ['-c', script], { env: { ...env, PROGRAM: program } });
  const isTable = !/--(csv|json)/.test(command);
  expect(ran.stderr).toBe(isTable && / --by country/.test(command) ? attribution : '');
  return ran.stdout;
}

test.each(local)('%s', async (command) => {
  const lines = (await run(command)).trimEnd().split('\n');
  const measures = / --measures (\S+)/.exec(command)?.[1]?.split(',') ?? [];
  const [head = '', ...rows] = lines;
  for (const measure of measures) expect(head).toContain(measure);
  expect(rows.length).toBeGreaterThan(0);
});

test.each(remote)('%s', async (command) => {
  const address = /'http:\/\/localhost:8080(.*)'/.exec(command)?.[1] ?? '';
  const response = await fetch(service.url + address.replace('ACCESS_KEY', accessKey), {
    headers: { 'x-api-key': account.key },
  });
  expect([address, response.status]).toEqual([address, 200]);
});

test('the table, the JSON and the CSV of one question', async () => {
  const asked = ['--account', String(account.accountId), '--from', '2026-10-01'];
  const october = [...asked, '--to', '2026-10-31', '--measures', 'plays,averagePlayMs'];
  const by = [...october, '--by', 'month', '--compare', 'previous'];
  const before = { plays: 1, averagePlayMs: 30_000 };
  const own = { plays: 2, averagePlayMs: 30_000 };
  expect(await service.run('query', ...by)).toMatchObject({
    isSuccess: true,
    data: {
      list: [{ month: '2026-10-01', ...own, previous: before }],
      totals: { ...own, previous: before },
      rowCount: 1,
      nextToken: '',
    },
  });
  const line = ['playmeter', 'query', ...by].join(' ');
  expect(await run(line)).toBe(
    [
      'month       plays  averagePlayMs  previous.plays  previous.averagePlayMs',
      '2026-10-01      2          30000               1                   30000',
      'total           2          30000               1                   30000',
      '',
    ].join('\n'),
  );
  expect(await run(`${line} --csv`)).toBe(
    [
      'month,plays,averagePlayMs,previous.plays,previous.averagePlayMs',
      '2026-10-01,2,30000,1,30000',
      '',
    ].join('\n'),
  );
  await expect(run(`${line} --sort clicks`)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--sort must be among what is asked for'),
  });
});
