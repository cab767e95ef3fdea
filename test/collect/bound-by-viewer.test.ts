/** The bounds by viewer on a whole service: the viewers are those that signed tokens name. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ViewClaims } from '../../src/vocabulary/view-token.ts';
import type { SuspectRecord } from '../../src/wire/management/suspect-messages.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { claimsFor, tokenOf } from '../support/view-token.ts';

const hourMs = 3_600_000;
const agoMs = 13 * hourMs;

let service: TestService;
let account: TestAccount;
let videoKey: string;
let secret: string;
beforeAll(async () => {
  const environment = { USUAL_VIEWS_BY_VIEWER: '2', USUAL_PLAYERS_BY_VIEWER: '1' };
  service = await startTestService({ environment });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  ({ secret } = (await manage('POST', '/signing-keys')).body);
});

const manage = (method: string, path: string, message?: object) =>
  service.manage(account.key, method, path, message);

/** Views that began 13 hours ago, each under a token of its own. */
async function view(viewer: string | undefined, count: number, playMs: number): Promise<void> {
  const startMs = Date.now() - agoMs;
  const sub: Partial<ViewClaims> = viewer === undefined ? {} : { sub: viewer };
  const beacons = Array.from({ length: count }, () => ({
    ...{ view: randomUUID(), stretch: 0, playMs, videoKey },
    at: new Date(startMs).toISOString(),
    token: tokenOf(claimsFor(videoKey, startMs, { ...sub, jti: randomUUID() }), secret),
  }));
  const response = await service.send(beacons);
  expect(await response.json()).toEqual({ accepted: count, rejected: [] });
}

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const range = () => `sdate=${dayOf(Date.now() - 2 * agoMs)}&edate=${dayOf(Date.now() + hourMs)}`;

async function counted() {
  await service.facts.rollUp();
  const route = `/report/statistics/video/v1/os?${range()}`;
  const { list } = await service.ask(route, account.key);
  const [row] = list as unknown as { videoCount: string; duration: string }[];
  return { plays: Number(row?.videoCount ?? 0), seconds: Number(row?.duration ?? 0) };
}

async function suspects(): Promise<SuspectRecord[]> {
  return (await manage('GET', `/suspects?${range()}`)).body.list;
}

const ofViewer = expect.stringMatching(/^VIEWER:\d{4}-\d\d-\d\d:[0-9a-f]{16}$/);

test('views of one viewer beyond the bound are set apart; those of others count', async () => {
  await view('one', 10, 1_000);
  expect(await counted()).toEqual({ plays: 6, seconds: 6 });
  const [suspect, ...more] = await suspects();
  expect(suspect).toMatchObject({ suspect: ofViewer, reason: 'VIEWER', plays: 4, playMs: 4_000 });
  expect(more).toEqual([]);

  await view('another', 6, 1_000);
  await view(undefined, 20, 1_000);
  expect(await counted()).toEqual({ plays: 32, seconds: 32 });

  const accepted = await manage('PUT', `/suspects/${suspect?.suspect}`, { verdict: 'accepted' });
  expect(accepted.status).toBe(200);
  expect(await counted()).toEqual({ plays: 36, seconds: 36 });
});

test('so is more time than one player can have played', async () => {
  await view('one', 3, 4 * hourMs);
  const { plays, seconds } = await counted();
  // They began, and are plays. The time is that of eight hours at once, and what passes meanwhile.
  expect(plays).toBe(3);
  expect(seconds).toBeGreaterThanOrEqual(8 * 3_600);
  expect(seconds).toBeLessThan(8 * 3_600 + 60);
  const [suspect, ...more] = await suspects();
  expect(suspect).toMatchObject({ suspect: ofViewer, plays: 0 });
  expect(suspect?.playMs).toBeGreaterThan(3.9 * hourMs);
  expect(more).toEqual([]);
});
