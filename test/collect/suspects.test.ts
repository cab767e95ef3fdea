/** Suspects on the real service: accepted and refused, the answers follow exactly. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { wideBounds } from '../support/wide-bounds.ts';

/** So few that a slow machine makes no difference: a minute passes until the next. */
const bounds = { ...wideBounds, USUAL_VIEWS_BY_ADDRESS: '1', USUAL_LENGTHS: '10' };
const usualViews = 3;
const day = new Date(systemClock.now() - 60_000).toISOString().slice(0, 10);
const at = `${day}T00:00:00.000Z`;
/** Until tomorrow: it may begin while these run. */
const tomorrow = new Date(systemClock.now() + 86_400_000).toISOString().slice(0, 10);
const days = `sdate=${day}&edate=${tomorrow}`;

interface Suspect {
  readonly suspect: string;
  readonly verdict: string | null;
  readonly decidedBy: string | null;
}

/** An account with one video, and requests about it. */
async function open(service: TestService) {
  const account = await service.addAccount();
  const packageId = await account.addPackage();
  const videoKey = await account.publish(packageId, await account.addVideo());
  const filler = await service.addAccount();
  const fillerKey = await filler.publish(await filler.addPackage(), await filler.addVideo());
  return { account, ...requestsOf(service, account, videoKey, fillerKey) };
}

function requestsOf(service: TestService, account: TestAccount, videoKey: string, fillerKey = '') {
  const beacons = (name: string, count: number, playMs = 1_000) =>
    Array.from({ length: count }, (_, number) => ({
      ...{ view: `${name}${number}`, stretch: 0, at, playMs, videoKey },
    }));
  return {
    videoKey,
    beacons,
    async send(name: string, count: number, playMs?: number, key?: string) {
      const headers = key === undefined ? {} : { 'x-api-key': key };
      for (let sent = 0; sent < count; sent += 1_000) {
        const part = beacons(name, count, playMs).slice(sent, sent + 1_000);
        const response = await service.send(part, headers as Record<string, string>);
        expect(await response.json()).toEqual({ accepted: part.length, rejected: [] });
      }
    },
    /** Reports views that are all set apart: others before them use up what is usual. */
    async sendApart(name: string, count: number, playMs?: number) {
      const filler = beacons(`filler of ${name}`, 20).map((beacon) => ({
        ...beacon,
        videoKey: fillerKey,
      }));
      const response = await service.send([...filler, ...beacons(name, count, playMs)]);
      expect(await response.json()).toEqual({ accepted: filler.length + count, rejected: [] });
    },
    /** Plays and seconds. */
    async counted(): Promise<number[]> {
      await service.facts.rollUp();
      const path = `/report/statistics/video/v1/info/date?${days}`;
      const { list } = await service.ask(path, account.key);
      const sum = (name: string) =>
        list.reduce((total, row) => total + Number((row as Record<string, string>)[name]), 0);
      return [sum('videoCount'), sum('duration')];
    },
    async suspects(): Promise<Suspect[]> {
      await service.facts.rollUp();
      const response = await service.get(`/manage/v1/suspects?${days}`, account.key);
      expect(response.status).toBe(200);
      return ((await response.json()) as { list: Suspect[] }).list;
    },
    async decide(suspect: string, verdict: string, key = account.key): Promise<Response> {
      return service.request(`/manage/v1/suspects/${encodeURIComponent(suspect)}`, {
        method: 'PUT',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ verdict }),
      });
    },
  };
}

describe('one service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: bounds });
  });
  afterAll(() => service?.stop());

  test('a thousand views in one request are taken in and out, again and again', {
    tags: 'long',
  }, async () => {
    const { send, counted, suspects, decide, account } = await open(service);
    await send('v', 1_000);
    expect(await counted()).toEqual([usualViews, usualViews]);
    const [found, ...others] = await suspects();
    expect(others).toEqual([]);
    const suspect = found?.suspect ?? '';
    expect(found).toEqual({
      suspect: expect.stringMatching(/^ADDRESS:\d{4}-\d\d-\d\d:[0-9a-f]{16}$/),
      ...{ reason: 'ADDRESS', day: expect.any(String), subject: suspect.split(':')[2] },
      ...{ from: at, until: `${day}T00:15:00.000Z` },
      ...{ views: 997, videos: 1, plays: 997, playMs: 997_000 },
      ...{ verdict: null, decidedAt: null, decidedBy: null },
    });
    for (let round = 0; round < 3; round += 1) {
      for (let again = 0; again < 2; again += 1) {
        expect((await decide(suspect, 'accepted')).status).toBe(200);
        expect(await counted()).toEqual([1_000, 1_000]);
      }
      for (let again = 0; again < 2; again += 1) {
        expect((await decide(suspect, 'refused')).status).toBe(200);
        expect(await counted()).toEqual([usualViews, usualViews]);
      }
    }
    expect(await suspects()).toMatchObject([{ suspect, verdict: 'refused' }]);
    const ledger = await service.get(`/manage/v1/ledger?${days}`, account.key);
    const { list } = (await ledger.json()) as { list: Record<string, unknown>[] };
    expect(list.at(-1)).toMatchObject({
      received: 1_000,
      counted: 3,
      setApart: { ADDRESS: 997 },
    });
  });

  test('a suspect belongs to its account: for others it is as one that does not exist', async () => {
    const { sendApart, suspects, decide, counted } = await open(service);
    await sendApart('w', 5);
    const apart = (await suspects())[0]?.suspect ?? '';
    const stranger = await open(service);
    expect(await stranger.suspects()).toEqual([]);
    const foreign = await decide(apart, 'accepted', stranger.account.key);
    const unknown = await decide('ADDRESS:2020-01-01:00', 'accepted', stranger.account.key);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(await foreign.text()).toBe(await unknown.text());
    expect(await counted()).toEqual([0, 0]);
    expect((await suspects())[0]).toMatchObject({ verdict: null });
  });

  test('of an unusual view the video is named, also once it is deleted', async () => {
    const { account } = await open(service);
    const { videos } = service.catalog;
    const video = await account.addVideo();
    const videoKey = await account.publish(await account.addPackage(), video);
    const film = { title: 'Low tide', durationMs: 60_000 };
    accepted(await videos.change(account.accountId, video, film));
    const dayMs = 86_400_000;
    const playMs = 900_000;
    const atMs = systemClock.now() - dayMs;
    const stretches = Array.from({ length: 40 }, (_, stretch) => ({
      ...{ view: 'v', stretch, videoKey, playMs },
      at: new Date(atMs - stretch * playMs).toISOString(),
    }));
    await service.send(stretches, { 'x-api-key': account.key });
    await service.facts.rollUp();
    const sdate = new Date(atMs - dayMs).toISOString().slice(0, 10);
    const list = async () => {
      const query = `sdate=${sdate}&edate=${days.slice(-10)}`;
      const response = await service.get(`/manage/v1/suspects?${query}`, account.key);
      return ((await response.json()) as { list: object[] }).list;
    };
    const named = { reason: 'LENGTH', video, videoTitle: 'Low tide' };
    expect(await list()).toMatchObject([named]);
    accepted(await videos.delete(account.accountId, video));
    expect(await list()).toMatchObject([named]);
  });

  test('the list has pages, and a range of days', async () => {
    const { account, sendApart } = await open(service);
    await sendApart('w', 5);
    await service.facts.rollUp();
    const list = async (query: string) => service.get(`/manage/v1/suspects?${query}`, account.key);
    const page = await (await list(`${days}&page=2&pageSize=1`)).json();
    const paging = { page: 2, pageSize: 1, totalCount: 1, totalPage: 1 };
    expect(page).toEqual({ list: [], paging });
    const before = await (await list('sdate=2020-01-01&edate=2020-01-02')).json();
    expect(before).toMatchObject({ list: [] });
    for (const query of ['', 'sdate=2020-01-03&edate=2020-01-02', `${days}&pageSize=1001`]) {
      expect((await list(query)).status).toBe(400);
    }
  });

  test.each(['', 'maybe', null, 1])('a verdict of %j is refused', async (verdict) => {
    const { decide } = await open(service);
    expect((await decide('VIDEO:2026-11-22:1', verdict as string)).status).toBe(400);
  });
});

describe('after a start', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test('judgements hold, and a verdict that no sums followed is followed', {
    tags: 'long',
  }, async () => {
    const nodes = await nodeEnvironment(postgres);
    const environment = { ...bounds, ...nodes };
    const before = await startTestService({ environment });
    const { account, videoKey, send, counted, suspects } = await open(before);
    await send('v', 700);
    expect(await counted()).toEqual([usualViews, usualViews]);
    const suspect = (await suspects())[0]?.suspect ?? '';
    const accessKey = await account.addVideo();
    const { accountId, key } = account;
    accepted(await before.catalog.videos.change(accountId, accessKey, { durationMs: 1_000 }));
    const shortKey = await account.publish(await account.addPackage(), accessKey);
    const loop = (service: TestService, stretch: number) => {
      const beacon = { view: 'loop', stretch, at, playMs: 11_000, videoKey: shortKey };
      return service.send([beacon], { 'x-api-key': key });
    };
    await loop(before, 0);
    expect(await counted()).toEqual([usualViews + 1, usualViews + 10]);
    await before.stop();
    // As if the process was killed between the verdict and the sums.
    const catalog = await openCatalog({
      location: { databaseUrl: nodes.DATABASE_URL ?? '' },
      clock: systemClock,
    });
    const name = { accountId, suspect };
    accepted(await catalog.verdicts.decide(name, 'accepted'));
    expect(await catalog.verdicts.unsummed()).toHaveLength(1);

    const after = await startTestService({ environment });
    const again = requestsOf(after, account, videoKey);
    await expect.poll(() => again.counted()).toEqual([701, 710]);
    await expect.poll(() => catalog.verdicts.unsummed()).toEqual([]);
    // The views of the address are new again, but those that were set apart are remembered.
    await again.send('v', 700, 2_000);
    // As is the view that had outlasted its film.
    await loop(after, 1);
    expect(await again.counted()).toEqual([701, 1_410]);
    await again.decide(suspect, 'refused');
    expect(await again.counted()).toEqual([usualViews + 1, 2 * usualViews + 10]);
    await after.stop();
    await catalog.close();
  });
});
