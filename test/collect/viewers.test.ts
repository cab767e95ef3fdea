/** Viewers from the request to the stored fact, with a real service. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tables } from '../../src/store/facts.ts';
import type { ViewerMode } from '../../src/vocabulary/viewers.ts';
import { manualClock } from '../support/manual-clock.ts';
import { namedFacts } from '../support/named-facts.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
let service: TestService;
let account: TestAccount;
let videoKey: string;
let views = 0;

beforeAll(async () => {
  service = await startTestService({
    clock: clock.readings,
    environment: { TRUST_PROXY: 'loopback' },
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount('Asia/Seoul');
  ({ videoKey } = await addFilm(account));
});

/** The middle of a day everywhere: no day ends while a test runs. */
const clock = manualClock(Date.UTC(2026, 10, 20, 6));
const at = new Date(clock.now() - 120_000).toISOString();

function beacon(members: object = {}) {
  views += 1;
  return { view: `view ${views}`, stretch: 0, at, playMs: 1_000, videoKey, ...members };
}

async function send(members: object = {}, headers: Record<string, string> = {}) {
  const response = await service.send([beacon(members)], { ...browser, ...headers });
  expect(await response.json()).toEqual({ accepted: 1, rejected: [] });
}

/** The kinds of viewers in the account's facts, and how many there are of each. */
async function viewersByKind(): Promise<Record<string, number>> {
  const rows = await service.facts.read<{ kind: number; viewers: number }>({
    name: 'viewers of a test',
    sql: `SELECT bitShiftRight(viewer, 62) AS kind, uniqExact(viewer) AS viewers
      FROM ${namedFacts} WHERE accountId = {account:UInt32} GROUP BY kind`,
    parameters: { account: account.accountId },
  });
  return Object.fromEntries(
    rows.map(({ kind, viewers }) => [['none', 'daily', 'named'][Number(kind)], Number(viewers)]),
  );
}

const changeTo = (viewers: ViewerMode) =>
  service.manage(account.key, 'PATCH', '/account', { viewers });

test('a fresh account: named where a name is reported, else anonymous, else none', async () => {
  await send({ viewer: 'ann' });
  await send({ viewer: 'ann' }, { 'x-forwarded-for': '198.51.100.7' });
  await send({ viewer: 'bob' });
  await send({}, { 'x-forwarded-for': '198.51.100.7' });
  await send({}, { 'x-forwarded-for': '198.51.100.8' });
  await send({}, { 'x-forwarded-for': '2001:db8:7::1' });
  await send({ viewer: 'cid' }, { 'sec-gpc': '1' });
  await send({}, { dnt: '1' });
  expect(await viewersByKind()).toEqual({ named: 2, daily: 2, none: 1 });
});

test('a server with a key tells the address of its viewers', async () => {
  const key = { 'x-api-key': account.key };
  await send({ address: '198.51.100.7', userAgent: browser['user-agent'] }, key);
  await send({ address: '198.51.100.9', userAgent: browser['user-agent'] }, key);
  await send({ userAgent: browser['user-agent'] }, key);
  expect(await viewersByKind()).toEqual({ daily: 1, none: 1 });
});

/** A view by CMCD, and another by the player log. */
async function sendByOtherWays(headers: Record<string, string> = {}): Promise<void> {
  const own = { 'x-forwarded-for': '198.51.100.7', ...browser, ...headers };
  const now = clock.now() - 60_000;
  const lines = [0, 10_000].map((later, sn) => `e=ps,sid="x",sn=${sn},sta=p,ts=${now + later},v=2`);
  const sent = await service.request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd', ...own },
    body: lines.join('\n'),
  });
  expect(sent.status).toBe(200);
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const query = new URLSearchParams({ data: JSON.stringify({ e: 'vs', ...statsInfo }) });
  const logged = await service.request(`/play/api/videoPlays?${query}`, { headers: own });
  expect(logged.status).toBe(200);
}

test('CMCD and player logs have anonymous viewers too', async () => {
  await sendByOtherWays();
  await send({}, { 'x-forwarded-for': '198.51.100.7' });
  expect(await viewersByKind()).toEqual({ daily: 1 });
});

test.each([{ 'sec-gpc': '1' }, { dnt: '1' }])('CMCD and player logs honour %j', async (wish) => {
  await sendByOtherWays(wish);
  const rows = await service.facts.read<{ views: number }>({
    name: 'views of a test',
    sql: `SELECT uniqExact(view) AS views FROM ${tables.stretch.name} FINAL
      WHERE accountId = {account:UInt32}`,
    parameters: { account: account.accountId },
  });
  expect([Number(rows[0]?.views), await viewersByKind()]).toEqual([2, { none: 1 }]);
});

test('a mode set by the owner holds from then on', async () => {
  for (const [mode, kinds] of [
    ['named', { named: 1, none: 1 }],
    ['none', { named: 1, none: 1 }],
    ['daily', { named: 1, none: 1, daily: 1 }],
  ] as const) {
    expect((await changeTo(mode)).body).toMatchObject({ viewers: mode });
    await send({ viewer: 'ann' });
    await send();
    expect(await viewersByKind()).toEqual(kinds);
  }
});
