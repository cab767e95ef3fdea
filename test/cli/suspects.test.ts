/** The verbs about suspects, beside a service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAccount } from '../support/service.ts';
import { oneServer, type StartedService } from '../support/service-kinds.ts';

const at = new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString();

let started: StartedService;
let account: TestAccount;
let suspect: string;
beforeAll(async () => {
  // So few that a slow machine makes no difference: a minute passes until the next.
  started = await oneServer.start({ environment: { USUAL_VIEWS_BY_ADDRESS: '1' } });
  const { service } = started;
  account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacons = Array.from({ length: 100 }, (_, number) => ({
    ...{ view: `v${number}`, stretch: 0, at, playMs: 1_000, videoKey },
  }));
  const sent = await service.send(beacons);
  expect(await sent.json()).toEqual({ accepted: 100, rejected: [] });
});
afterAll(() => started?.stop());

const ours = () => ['--account', String(account.accountId)];

async function run(verb: string, ...words: string[]) {
  const { code, printed, complaints } = await started.run('suspects', verb, ...words);
  return { code, printed: printed.join('\n'), complaints: complaints.join('\n') };
}

async function plays(): Promise<number> {
  await started.service.facts.rollUp();
  const date = at.slice(0, 10);
  const path = `/report/statistics/video/v1/info/date?sdate=${date}&edate=${date}`;
  const { list } = await started.service.ask(path, account.key);
  return Number(list[0]?.videoCount ?? 0);
}

test('what was set apart is listed, accepted and refused', async () => {
  expect(await plays()).toBe(3);
  const { suspectList } = JSON.parse((await run('list', ...ours(), '--json')).printed);
  expect(suspectList).toEqual([
    expect.objectContaining({ reason: 'ADDRESS', views: 97, plays: 97, verdict: null }),
  ]);
  ({ suspect } = suspectList[0]);
  const accept = await run('accept', ...ours(), suspect);
  expect(accept).toMatchObject({ code: 0, printed: `${suspect} is accepted` });
  expect(await plays()).toBe(100);
  const list = await run('list', ...ours());
  expect(list.printed).toBe(`${suspect}\t97 plays\t97 s\t97 views\t1 video\taccepted`);
  expect(await run('refuse', ...ours(), suspect)).toMatchObject({ code: 0 });
  expect(await plays()).toBe(3);
});

test('what is wrong is said, with its exit code', async () => {
  const cases: [string[], number, RegExp][] = [
    [['list'], 2, /--account is required/],
    [['list', ...ours(), '--from', '2026-02-30'], 2, /--from must be a day/],
    [['list', ...ours(), '--to', 'today'], 2, /--to must be a day/],
    [
      ['list', ...ours(), '--from', '2026-02-02', '--to', '2026-02-01'],
      2,
      /--from must not be after/,
    ],
    [['list', '--account', '987654'], 1, /There is no account 987654/],
    [['accept', ...ours()], 2, /SUSPECT/],
    [['accept', ...ours(), 'VIDEO:2026-01-01:9'], 1, /There is no such suspect/],
    [['accept', '--account', '987654', suspect], 1, /There is no such suspect/],
  ];
  for (const [[verb = '', ...words], code, complaint] of cases) {
    expect([verb, ...words, await run(verb, ...words)]).toEqual([
      ...[verb, ...words],
      { code, printed: '', complaints: expect.stringMatching(complaint) },
    ]);
  }
  const help = await run('accept', '--help');
  expect(help).toMatchObject({ code: 0, printed: expect.stringMatching(/SUSPECT\.\.\./) });
});
