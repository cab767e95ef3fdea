/** The verbs about suspects, beside a service that runs and without one. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProcessAccount } from '../support/process-accounts.ts';
import { program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const at = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();

let service: ServiceProcess;
let account: TestAccount;
let suspect: string;
beforeAll(async () => {
  // So few that a slow machine makes no difference: a minute passes until the next.
  service = await startServiceProcess({ USUAL_VIEWS_BY_ADDRESS: '1' });
  account = await addProcessAccount(service, 'UTC');
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacons = Array.from({ length: 1_000 }, (_, number) => ({
    ...{ view: `v${number}`, stretch: 0, at, playMs: 1_000, videoKey },
  }));
  const body = JSON.stringify({ beacons });
  const response = await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST', body });
  expect(await response.json()).toEqual({ accepted: 1_000, rejected: [] });
});
afterAll(() => service?.remove());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...words: string[]): Promise<Ran> {
  const env = { ...process.env, DATA_DIR: service.dataFolder };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'suspects', ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const ours = () => ['--account', String(account.accountId)];

async function plays(): Promise<number> {
  const date = at.slice(0, 10);
  const response = await fetch(
    `${service.url}/report/statistics/video/v1/info/date?sdate=${date}&edate=${date}`,
    { headers: { 'x-api-key': account.key } },
  );
  const { data } = (await response.json()) as { data: { list: { videoCount: string }[] } };
  return Number(data.list[0]?.videoCount ?? 0);
}

test('beside the service: what was set apart is listed, accepted and refused', async () => {
  await expect.poll(plays).toBe(3);
  const { suspectList } = await service.run('suspects', 'list', ...ours());
  expect(suspectList).toEqual([
    expect.objectContaining({ reason: 'ADDRESS', views: 997, plays: 997, verdict: null }),
  ]);
  ({ suspect } = (suspectList as { suspect: string }[])[0] as { suspect: string });
  const accept = await run('accept', ...ours(), suspect);
  expect(accept).toMatchObject({ code: 0, stdout: `${suspect} is accepted\n` });
  await expect.poll(plays).toBe(1_000);
  const list = await run('list', ...ours());
  expect(list.stdout).toBe(`${suspect}\t997 plays\t997 s\t997 views\t1 video\taccepted\n`);
  await service.run('suspects', 'refuse', ...ours(), suspect);
  await expect.poll(plays).toBe(3);
});

test('what is wrong is said, with its exit code', { tags: 'long' }, async () => {
  const cases: [string[], number, RegExp][] = [
    [['list'], 2, /--account is required/],
    [['list', ...ours(), '--from', '2026-13-01'], 2, /--from/],
    [['list', ...ours(), '--from', '2026-02-02', '--to', '2026-02-01'], 2, /--to|--from/],
    [['list', '--account', '987654'], 1, /There is no account 987654/],
    [['accept', ...ours()], 2, /SUSPECT/],
    [['accept', ...ours(), 'VIDEO:2026-01-01:9'], 1, /There is no such suspect/],
    [['accept', '--account', '987654', suspect], 1, /There is no such suspect/],
  ];
  for (const [words, code, complaint] of cases) {
    const ran = await run(...words);
    expect([words, ran.code, ran.stdout]).toEqual([words, code, '']);
    expect(ran.stderr).toMatch(complaint);
  }
  const help = await run('accept', '--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/SUSPECT\.\.\./);
});

test('without a service: the verdict holds when it is started', { tags: 'long' }, async () => {
  await service.kill('SIGTERM');
  expect(await run('accept', ...ours(), suspect)).toMatchObject({ code: 0 });
  await service.start();
  await expect.poll(plays).toBe(1_000);
});
