/** Hints about the platform that a beacon carries, without a key; they win over headers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BeaconsAnswer } from '../../src/wire/beacon.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const headers = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-ch-ua-platform-version': '"10.0.0"',
};
const eleven = { platform: 'Windows', platformVersion: '15.0.0' };

let service: TestService;
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

const at = () => new Date(Date.now() - 3_600_000).toISOString();
const beacon = (fields: object = {}) => ({
  ...{ view: 'v', stretch: 0, at: at(), playMs: 10_000, videoKey },
  ...fields,
});

async function send(...beacons: readonly object[]): Promise<void> {
  const answer = (await (await service.send(beacons, headers)).json()) as BeaconsAnswer;
  expect(answer).toEqual({ accepted: beacons.length, rejected: [] });
}

async function rows(url: string): Promise<unknown> {
  await service.facts.rollUp();
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const range = `sdate=${yesterday}&edate=${today}`;
  const { list } = await service.ask(
    `/report/statistics/video/v1/${url}${url.includes('?') ? '&' : '?'}${range}`,
    account.key,
  );
  return list;
}
const versions = () => rows('os/detail?os=Windows&sortData=detail&sortDirection=asc');

test('headers hold where a beacon says nothing', async () => {
  await send(beacon());
  expect(await versions()).toMatchObject([{ detail: '10', videoCount: '1', duration: '10' }]);
});

test('a beacon wins over headers, and counts once however often it comes', async () => {
  const one = beacon(eleven);
  await send(one);
  await send(one, one);
  expect(await versions()).toMatchObject([{ detail: '11', videoCount: '1', duration: '10' }]);
});

test('a hint that comes with a later stretch adds no play', async () => {
  await send(beacon());
  await send(beacon({ stretch: 1, playMs: 20_000, ...eleven }));
  expect(await versions()).toMatchObject([
    { detail: '10', videoCount: '1', duration: '10' },
    { detail: '11', videoCount: '0', duration: '20' },
  ]);
});
