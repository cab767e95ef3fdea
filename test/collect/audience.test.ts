/** What the store keeps of the audience, by every way in. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openImporter } from '../../src/app/offline/offline-stores.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { namedFacts } from '../support/named-facts.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';
const onIPhone = { os: 'iOS', device: 'mobile', browser: 'Safari', browserVersion: '26.1' };
const television =
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 4.0) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'SamsungBrowser/2.1 Chrome/56.0.2924.0 TV Safari/537.36';
const onTelevision = {
  ...{ os: 'Tizen', device: 'tv', browser: 'Samsung Internet', browserVersion: '2' },
};
/** Networks of universities in Berlin and in Korea. */
const [inBerlin, inKorea] = ['141.20.1.1', '143.248.5.153'];
const onPage = {
  page: 'https://user:secret@WWW.Example.com:443/lessons/3?token=secret#secret',
  referrer: 'https://www.google.com/search?q=secret',
  player: 'hls.js/1.7.2',
};

let service: TestService;
let account: TestAccount;
let packageId: number;
let accessKey: string;
let videoKey: string;
beforeAll(async () => {
  const environment = { TRUST_PROXY: 'loopback', GEO_HEADER: 'CF-IPCountry' };
  service = await startTestService({ environment });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  ({ packageId, accessKey, videoKey } = await addFilm(account));
});

/** One instant for all, so that no midnight lies between what is sent and what is asked. */
const at = new Date(Date.now() - 60_000).toISOString();
const beacon = (fields: object) => ({ view: 'v', stretch: 0, at, playMs: 1_000, ...fields });
/** As a proxy forwards them. */
const from = (address: string, more: Record<string, string> = {}) => ({
  'user-agent': iPhone,
  'x-forwarded-for': address,
  ...more,
});

const unknown = { country: '', host: '', page: '', referrer: '', player: '', position: 0 };

/** The one kind of facts that the account has. */
async function stored() {
  await service.facts.rollUp();
  const rows = await service.facts.read({
    name: 'test',
    sql: `SELECT DISTINCT os, country, device, browser, browserVersion, host, page, referrer, player,
      position, mediaMs FROM ${namedFacts} WHERE accountId = {accountId:UInt32} AND playMs > 0`,
    parameters: { accountId: account.accountId },
  });
  expect(rows).toHaveLength(1);
  return rows[0];
}

test.each([
  ['the short way', {}],
  ['the route', { 'content-type': 'text/plain; charset=UTF-8' }],
])('a beacon without a key, by %s', async (_, headers) => {
  const fields = { ...onPage, videoKey, position: 61_000, mediaMs: 1_500 };
  await service.send([beacon(fields)], from(inBerlin, headers));
  expect(await stored()).toEqual({
    ...onIPhone,
    ...{ country: 'DE', host: 'www.example.com', page: 'www.example.com/lessons/3' },
    ...{ referrer: 'www.google.com', player: 'hls.js/1.7.2', position: 61_001, mediaMs: 1_500 },
  });
});

test.each([
  ['the short way', {}],
  ['the route', { 'content-type': 'text/plain; charset=UTF-8' }],
])('the country that the proxy tells wins, by %s', async (_, headers) => {
  await service.send([beacon({ videoKey })], from(inBerlin, { ...headers, 'cf-ipcountry': 'FR' }));
  expect(await stored()).toMatchObject({ country: 'FR' });
});

test('the page is what the beacon says, and nothing else', async () => {
  const headers = { referer: 'https://site.example/a', origin: 'https://site.example' };
  await service.send([beacon({ videoKey })], from('10.0.0.1', headers));
  expect(await stored()).toEqual({ ...onIPhone, ...unknown, mediaMs: 0 });
});

test('with a key nothing of the request counts', async () => {
  const described = { accessKey, packageId, userAgent: television, address: inKorea };
  const headers = from(inBerlin, { 'x-api-key': account.key, 'cf-ipcountry': 'FR' });
  await service.send([beacon({ ...described, ...onPage })], headers);
  expect(await stored()).toMatchObject({
    ...onTelevision,
    ...{ country: 'KR', host: 'www.example.com' },
  });
});

test('an import tells the same as a beacon with a key', async () => {
  const around = { config: service.config, clock: systemClock, logger: pino({ level: 'error' }) };
  const importer = await openImporter(around);
  try {
    const described = { accessKey, packageId, userAgent: television, address: inKorea };
    const fields = { ...described, ...onPage, position: 61_000, mediaMs: 1_500 };
    const { accountId } = account;
    await importer.collect([beacon(fields)], accountId);
  } finally {
    await importer.close();
  }
  expect(await stored()).toEqual({
    ...onTelevision,
    ...{ country: 'KR', host: 'www.example.com', page: 'www.example.com/lessons/3' },
    ...{ referrer: 'www.google.com', player: 'hls.js/1.7.2', position: 61_001, mediaMs: 1_500 },
  });
});

test('an import tells viewers and labels as beacons with a key do', async () => {
  accepted(await service.catalog.labels.create(account.accountId, 'course'));
  const about = { accessKey, packageId, playMs: 1_000, viewer: 'ada' };
  const beaconOf = (view: string) =>
    beacon({ ...about, view, labels: { course: 'algebra', undeclared: 'x' } });
  const around = { config: service.config, clock: systemClock, logger: pino({ level: 'error' }) };
  const importer = await openImporter(around);
  try {
    const { rejected } = await importer.collect([beaconOf('imported')], account.accountId);
    expect(rejected).toEqual([]);
  } finally {
    await importer.close();
  }
  await service.send([beaconOf('sent')], { 'x-api-key': account.key });
  await service.facts.rollUp();
  const day = at.slice(0, 10);
  const query = new URLSearchParams({
    ...{ sdate: day, edate: day, measures: 'views,viewers', dimensions: 'label.course' },
    ...{ timeZone: 'UTC' },
  });
  const { list, viewerBasis } = (await service.ask(
    `/report/statistics/video/v2/query?${query}`,
    account.key,
  )) as unknown as { list: object[]; viewerBasis: object };
  // Of two views one viewer, and the one label that is declared.
  expect(list).toEqual([{ 'label.course': 'algebra', views: 2, viewers: 1 }]);
  expect(viewerBasis).toEqual({ named: 2, daily: 0, none: 0 });
});

test('with a key and no address the country is not known', async () => {
  const described = { accessKey, packageId, userAgent: television };
  await service.send([beacon(described)], from(inBerlin, { 'x-api-key': account.key }));
  expect(await stored()).toMatchObject({ ...onTelevision, ...unknown });
});

test('CMCD tells no page and no position', async () => {
  const line = (number: number, state: string) =>
    `e=ps,sid="x",sn=${number},sta=${state},ts=${Date.now() - 60_000 + number * 1_000},v=2`;
  await service.request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: from(inKorea, { 'content-type': 'application/cmcd' }),
    body: `${line(0, 'p')}\n${line(1, 'a')}`,
  });
  expect(await stored()).toEqual({ ...onIPhone, ...unknown, country: 'KR', mediaMs: 0 });
});

test('the ranges of a player log are positions', async () => {
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const event = { e: 'vp', ...statsInfo, dst: 0.5, det: 1.25 };
  const query = new URLSearchParams({ data: JSON.stringify(event) });
  const answer = await service.request(`/play/api/videoPlays?${query}`, { headers: from(inKorea) });
  expect(await answer.json()).toMatchObject({ errorInfo: { errorCode: 'None' } });
  expect(await stored()).toEqual({
    ...{ ...onIPhone, ...unknown, country: 'KR' },
    ...{ position: 501, mediaMs: 750 },
  });
});

test.each([
  ['the short way', {}],
  ['the route', { 'content-type': 'text/plain; charset=UTF-8' }],
])('more media than can be played is bounded, and its sender told, by %s', async (_, headers) => {
  const send = async (...beacons: object[]) =>
    (await service.send(beacons, from(inBerlin, headers))).json();
  const media = (view: string, mediaMs: number) => beacon({ view, videoKey, position: 0, mediaMs });
  const refused = { ...media('none', 99_000), videoKey: 'none' };
  expect(await send(media('v', 16_000))).toEqual({ accepted: 1, rejected: [] });
  expect(await send(media('v', 16_000), refused, media('v', 16_001))).toEqual({
    accepted: 2,
    rejected: [expect.objectContaining({ index: 1, code: 'UNKNOWN_VIDEO' })],
    bounded: [{ index: 2, member: 'mediaMs', value: 16_000 }],
  });
  expect(await send(media('v', 16_001))).toEqual({
    ...{ accepted: 1, rejected: [] },
    bounded: [{ index: 0, member: 'mediaMs', value: 16_000 }],
  });
  // The answer of those that are all right is not the one before.
  expect(await send(media('v', 16_000))).toEqual({ accepted: 1, rejected: [] });
  expect(await stored()).toMatchObject({ mediaMs: 16_000 });
});
