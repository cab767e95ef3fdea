/** From which sites playback of a package is taken, and how much one address may send. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BeaconsAnswer } from '../../src/wire/beacons/beacon.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const site = 'https://site.example';
const clock = manualClock();
let service: TestService;
let account: TestAccount;
let packageId: number;
let videoKey: string;

function beacon() {
  const at = new Date(clock.now() - 60_000).toISOString();
  return { view: 'v', stretch: 0, at, playMs: 1_000, videoKey };
}

function cmcd(headers: Record<string, string> = {}) {
  return service.request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd', ...headers },
    body: `e=ps,sid="x",sn=0,sta=p,ts=${clock.now()},v=2`,
  });
}

async function playerLog(headers: Record<string, string> = {}) {
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const query = new URLSearchParams({ data: JSON.stringify({ e: 'vs', ...statsInfo }) });
  return service.request(`/play/api/videoPlays?${query}`, { headers });
}

describe('allowed origins', () => {
  beforeAll(async () => {
    service = await startTestService({ clock: clock.readings });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.addAccount();
    packageId = await account.addPackage();
    videoKey = await account.publish(packageId, await account.addVideo());
  });

  const allow = (allowedOrigins: string[]) =>
    service.catalog.packages.change(account.accountId, packageId, { allowedOrigins });

  async function codeFrom(headers: Record<string, string>): Promise<string> {
    const answer = (await (await service.send([beacon()], headers)).json()) as BeaconsAnswer;
    return answer.rejected[0]?.code ?? 'COUNTED';
  }

  // What browsers send for an <img>, a fetch of mode no-cors, and a page that hides its URL.
  test.each([
    [{ referer: 'https://elsewhere.example/page', 'sec-fetch-site': 'cross-site' }, 'ORIGIN'],
    [{ referer: 'https://Site.example:443/a?b#c', 'sec-fetch-site': 'cross-site' }, 'COUNTED'],
    [{ 'user-agent': '(SM-G991N; Android 14) App/1.2' }, 'COUNTED'],
  ])('without the help of a page, %o: %s, on every way in', async (headers, code) => {
    await allow([site]);
    expect(await codeFrom(headers)).toBe(code);
    const query = new URLSearchParams({ CMCD: `e=ps,sid="y",sn=0,sta=p,ts=${clock.now()},v=2` });
    const asked = await service.request(`/collect/v1/cmcd/${videoKey}?${query}`, { headers });
    for (const events of [await cmcd(headers), asked]) {
      const { rejected } = (await events.json()) as BeaconsAnswer;
      expect(rejected[0]?.code ?? 'COUNTED').toBe(code);
    }
    const { errorInfo } = (await (await playerLog(headers)).json()) as {
      errorInfo: { errorCode: string };
    };
    expect(errorInfo.errorCode).toBe(code === 'COUNTED' ? 'None' : code);
  });

  test('whatever is answered, Server-Time is the time of the clock', async () => {
    const { headers } = await service.send([], { 'x-api-key': 'unknown' });
    expect(headers.get('server-time')).toBe(String(clock.now()));
  });

  test('what comes from elsewhere is in the ledger alone', async () => {
    await allow([site]);
    const headers = { origin: 'https://elsewhere.example' };
    await Promise.all([cmcd(headers), playerLog(headers), codeFrom(headers)]);
    await service.facts.rollUp();
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const range = `sdate=${today.slice(0, 4)}-01-01&edate=${today}`;
    const path = `/report/statistics/video/v1/info/date?${range}`;
    expect((await service.ask(path, account.key)).list).toEqual([]);
    const ledger = await service.get(
      `/manage/v1/ledger?sdate=${today}&edate=${today}`,
      account.key,
    );
    expect(await ledger.json()).toMatchObject({ list: [{ received: 3, refused: { ORIGIN: 3 } }] });
  });
});

describe('the limit of an address', () => {
  const limit = 5;
  beforeAll(async () => {
    const environment = { COLLECT_LIMIT_PER_MINUTE: String(limit), TRUST_PROXY: 'loopback' };
    service = await startTestService({ clock: clock.readings, environment });
    account = await service.addAccount();
    packageId = await account.addPackage();
    videoKey = await account.publish(packageId, await account.addVideo());
  });
  afterAll(() => service.stop());

  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('counts all forms together, and of IPv6 the whole network', async () => {
    for (let sent = 0; sent < limit; sent += 1) {
      await service.send([beacon()], from(`2001:db8:0:1::${sent}`));
    }
    expect((await cmcd(from('2001:db8:0:1:ffff::1'))).status).toBe(429);
    const info = `/v1/player/stats/info.json?k=${videoKey}`;
    const asked = await service.request(info, { headers: from('2001:db8:0:1::77') });
    expect(asked.status).toBe(429);
    expect((await cmcd(from('2001:db8:0:2::1'))).status).toBe(200);
  });

  test('does not count what comes with a key', async () => {
    const headers = { ...from('203.0.113.3'), 'x-api-key': account.key };
    for (let sent = 0; sent < 2 * limit; sent += 1) {
      expect((await service.send([beacon()], headers)).status).toBe(200);
    }
  });
});
