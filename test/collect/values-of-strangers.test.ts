/** A stranger's made-up pages, players and versions leave room for those of real viewers. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { LedgerDay } from '../../src/wire/beacons/ledger.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { claimsFor, tokenOf } from '../support/view-token.ts';

const dayMs = 86_400_000;
const dimensions = ['page', 'host', 'referrer', 'player', 'osVersion'] as const;
const real = {
  page: 'https://www.myschool.example/lesson/1',
  referrer: 'https://search.example/',
  player: 'hls.js/1.7.2',
  ...{ platform: 'iOS', platformVersion: '26.1' },
};
const shown = {
  page: 'www.myschool.example/lesson/1',
  host: 'www.myschool.example',
  referrer: 'search.example',
  player: 'hls.js/1.7.2',
  osVersion: '26.1',
};

let service: TestService;
let account: TestAccount;
let packageId: number;
let videoKey: string;
beforeAll(async () => {
  const { NEW_VALUES_BY_ADDRESS } = readConfig({});
  const environment = {
    NEW_VALUES_BY_ADDRESS: String(NEW_VALUES_BY_ADDRESS),
    TRUST_PROXY: 'loopback',
  };
  service = await startTestService({ environment });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  packageId = await account.addPackage();
  videoKey = await account.publish(packageId, await account.addVideo());
});

const [today, yesterday] = [0, 1].map((ago) => Date.now() - 60_000 - ago * dayMs) as [
  number,
  number,
];
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const beacon = (atMs: number, more: object) => {
  return { view: 'v', stretch: 0, at: new Date(atMs).toISOString(), playMs: 1, videoKey, ...more };
};

async function send(address: string, beacons: readonly object[], headers = {}): Promise<void> {
  const answer = await service.send(beacons, { 'x-forwarded-for': address, ...headers });
  expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
}

/** One request: views, each with values of its own. */
const madeUp = (atMs: number, count = 1_000) =>
  Array.from({ length: count }, (_, stretch) => {
    const version = `17.${stretch % 20}.${1 + Math.floor(stretch / 20)}`;
    const from = { platform: 'iOS', platformVersion: version };
    return beacon(atMs, {
      ...{ view: `made up ${stretch}`, page: `https://host${stretch}.example/${stretch}`, ...from },
      ...{ referrer: `https://from${stretch}.example/`, player: `player ${stretch}/1.0` },
    });
  });

/** Plays and time by the value of a dimension, on a day. */
async function by(dimension: string, atMs: number): Promise<Map<string, number>> {
  const asked = dimension === 'osVersion' ? `os,${dimension}` : dimension;
  const path = `/report/statistics/video/v2/query?sdate=${day(atMs)}&edate=${day(atMs)}`;
  const query = `&measures=playMs&dimensions=${asked}&pageSize=1000`;
  const response = await service.get(path + query, account.key);
  const { data } = (await response.json()) as { data: { list: Record<string, string>[] } };
  return new Map(data.list.map((row) => [row[dimension] ?? '', Number(row.playMs)]));
}

async function expectShown(atMs: number, playMs: number): Promise<void> {
  await service.facts.rollUp();
  for (const dimension of dimensions) {
    expect((await by(dimension, atMs)).get(shown[dimension]), dimension).toBe(playMs);
  }
}

for (const [name, atMs, tag] of [
  ['of today', today],
  ['of yesterday', yesterday, 'long'],
] as const)
  test(`one request leaves room for a real viewer: ${name}`, { tags: tag ?? [] }, async () => {
    await send('192.0.2.66', madeUp(atMs));
    await send('192.0.2.1', [beacon(atMs, { ...real, view: 'real', playMs: 7_000 })]);
    await expectShown(atMs, 7_000);
    // Nothing is lost, and a beacon that is sent again changes nothing.
    await send('192.0.2.66', madeUp(atMs));
    await service.facts.rollUp();
    for (const dimension of dimensions) {
      const values = await by(dimension, atMs);
      // Half of the room, and of the rest as long as it is less than a 16th; the real one and `Other`.
      const own = dimension === 'osVersion' ? 100 + 6 : 500 + 30;
      expect(values.size).toBe(own + 2);
      expect(values.get('Other')).toBe(1_000 - own);
    }
  });

test('the account is told which dimensions had no place left, by how many new values', async () => {
  await service.manage(account.key, 'POST', '/labels', { name: 'course' });
  const labelled = madeUp(today).map((one, index) => ({ ...one, labels: { course: `${index}` } }));
  await send('192.0.2.66', labelled);
  const { body } = await service.manage(
    account.key,
    'GET',
    `/ledger?sdate=${day(today)}&edate=${day(Date.now())}`,
  );
  const told = body.list.flatMap((one: LedgerDay) => one.fullDimensions);
  const hours = [Date.now() - 3_600_000, Date.now()].map((at) => {
    return `${new Date(at).toISOString().slice(0, 13)}:00:00Z`;
  });
  for (const { since } of told) expect(hours).toContain(since);
  expect(told.map(({ since: _, ...one }: { since: string }) => one)).toEqual([
    { dimension: 'osVersion', named: 106, other: 894 },
    ...['host', 'page', 'referrer', 'player', 'label.course'].map((dimension) => {
      return { dimension, named: 530, other: 470 };
    }),
  ]);
});

test('a class of 200 behind one address brings 30 pages, and all are shown', async () => {
  const pupils = Array.from({ length: 200 }, (_, pupil) =>
    beacon(today, { ...real, view: `pupil ${pupil}`, page: `${real.page}/${pupil % 30}` }),
  );
  await send('192.0.2.7', pupils);
  await service.facts.rollUp();
  const pages = await by('page', today);
  expect([pages.size, pages.has('Other')]).toEqual([30, false]);
});

test('nor does what is set apart take room, and once accepted it has its names', async () => {
  const manage = (method: string, path: string, message?: object) =>
    service.manage(account.key, method, path, message);
  await manage('PATCH', `/packages/${packageId}`, { signing: 'prefer' });
  await send('192.0.2.66', madeUp(today));
  const { body: key } = await manage('POST', '/signing-keys');
  const token = tokenOf(claimsFor(videoKey, Date.now() - 120_000), key.secret);
  await send('192.0.2.1', [beacon(today, { ...real, view: 'signed', playMs: 7_000, token })]);
  await expectShown(today, 7_000);
  const unsigned = { ...real, view: 'unsigned', playMs: 5_000 };
  await send('192.0.2.2', [
    beacon(today, { ...unsigned, page: `${real.page}/unsigned`, platformVersion: '26.2' }),
  ]);
  await service.facts.rollUp();
  expect((await by('page', today)).size).toBe(1);
  const days = `sdate=${day(yesterday)}&edate=${day(Date.now())}`;
  const { body } = await manage('GET', `/suspects?${days}`);
  expect(body.list).toHaveLength(1);
  const path = `/suspects/${encodeURIComponent(body.list[0].suspect)}`;
  expect((await manage('PUT', path, { verdict: 'accepted' })).status).toBe(200);
  await service.facts.rollUp();
  expect((await by('page', today)).get(`${shown.page}/unsigned`)).toBe(5_000);
  expect((await by('osVersion', today)).get('26.2')).toBe(5_000);
  expect((await by('page', today)).get('Other')).toBe(1_000 - 500 - 30);
});
