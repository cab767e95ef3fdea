/** Erasing what players report by single events: CMCD sessions, and sessions of the player log. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openErasureService } from '../../src/app/offline/offline-stores.ts';
import type { ErasureService } from '../../src/maintenance/erase/eraser.ts';
import type { StatsInfo } from '../../src/wire/beacons/player-log.ts';
import { describeKinds } from '../support/each-kind.ts';
import type { TestAccount, TestService } from '../support/service.ts';
import { type StartedService, serviceKinds } from '../support/service-kinds.ts';

/** A turn in which nothing is to be done takes processor time as well. */
const pace = { everyMs: 500, daysEveryMs: 500, lookBackMs: 700 };
const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)' };
const beganMs = Date.now() - 600_000;
const today = new Date(beganMs).toISOString().slice(0, 10);
const tomorrow = new Date(beganMs + 86_400_000).toISOString().slice(0, 10);

/** By which the service's clock is ahead: a range takes as long as it is. */
let aheadMs = 0;
let started: StartedService;
let service: TestService;
let desk: ErasureService;

interface Watched extends TestAccount {
  readonly accessKey: string;
  /** Events of a CMCD session, a minute apart; by default it plays. */
  sendCmcd(session: string, from: number, to: number, state?: string): Promise<void>;
  /** What a native player reports of its one session, up to these seconds. */
  sendLog(seconds: number): Promise<void>;
}

async function newSite(): Promise<Watched> {
  const account = await service.addAccount();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as StatsInfo;
  const { errorInfo: _, ...ids } = statsInfo;
  return {
    ...account,
    accessKey,
    async sendCmcd(session, from, to, state = 'p') {
      const lines = Array.from({ length: to - from }, (_, index) => {
        const at = beganMs + (from + index) * 60_000;
        return `e=ps,sid="${session}",sn=${from + index},sta=${state},ts=${at},v=2`;
      });
      const init = { 'content-type': 'application/cmcd', ...headers };
      const response = await service.request(`/collect/v1/cmcd/${videoKey}`, {
        ...{ method: 'POST', headers: init, body: lines.join('\n') },
      });
      expect(await response.json()).toEqual({ accepted: lines.length, rejected: [] });
    },
    async sendLog(seconds) {
      aheadMs += seconds * 1_000;
      const data = JSON.stringify({ e: 'vi', ...ids, dtt: 600, dst: 0, det: seconds });
      const path = `/play/api/videoPlays?${new URLSearchParams({ data })}`;
      expect((await service.request(path, { headers })).status).toBe(200);
    },
  };
}

/** The stored ids of views that have rows in a table, with how many. */
async function viewsIn(table: 'event' | 'stretch', { accountId }: TestAccount) {
  await service.facts.rollUp();
  const rows = await started.store.select<{ view: string; rows: number }>({
    name: 'test',
    sql: `SELECT toString(view) AS view, count() AS rows FROM ${table} FINAL
      WHERE accountId = {accountId:UInt32} GROUP BY view ORDER BY view`,
    parameters: { accountId },
  });
  return new Map(rows.map(({ view, rows }) => [view, rows]));
}

async function playsOf({ key }: TestAccount): Promise<number> {
  const range = `sdate=${today}&edate=${tomorrow}`;
  const { list } = await service.ask(`/report/statistics/video/v1/info/date?${range}`, key);
  return list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}

async function erase({ accountId }: TestAccount, what: { view?: string; accessKey?: string }) {
  const { receipt } = await desk.eraser.record(desk.catalog, { accountId, ...what });
  expect(await desk.eraser.carryOut(desk.catalog, receipt)).toMatchObject({ state: 'done' });
}

/** Ids of views with facts that were not there before. */
async function newViews(site: TestAccount, before: ReadonlyMap<string, number>) {
  return [...(await viewsIn('stretch', site)).keys()].filter((view) => !before.has(view));
}

describeKinds(serviceKinds, 'erasing events on $name', (kind) => {
  beforeAll(async () => {
    const environment = { APP_SECRET: 'a secret of thirty-two characters' };
    const clock = { now: () => Date.now() + aheadMs };
    started = await kind.start({ pace, environment, clock });
    ({ service } = started);
    desk = await openErasureService(started.around);
  });
  afterAll(async () => {
    await desk?.close();
    await started?.stop();
  });

  test('a CMCD session is erased with its events, and late ones stay out', async () => {
    const site = await newSite();
    await site.sendCmcd('other', 0, 4);
    const others = await viewsIn('stretch', site);
    await site.sendCmcd('one', 0, 4);
    const [view = '', ...more] = await newViews(site, others);
    expect([more, await playsOf(site)]).toEqual([[], 2]);
    expect((await viewsIn('event', site)).get(view)).toBeGreaterThanOrEqual(4);

    await erase(site, { view: 'one' });
    expect((await viewsIn('event', site)).get(view)).toBeUndefined();
    // Those that came before, and later ones.
    await site.sendCmcd('one', 0, 8);
    const left = await viewsIn('event', site);
    expect(left.get(view)).toBeUndefined();
    for (const other of others.keys()) expect(left.get(other)).toBeGreaterThanOrEqual(4);
    expect(await newViews(site, others)).toEqual([]);
    expect(await playsOf(site)).toBe(1);
  });

  test('a CMCD session that has not played yet is erased, and what it plays stays out', {
    tags: 'long',
  }, async () => {
    const site = await newSite();
    const starting = 's';
    await site.sendCmcd('other', 0, 2, starting);
    const others = await viewsIn('event', site);
    await site.sendCmcd('one', 0, 2, starting);
    const views = [...(await viewsIn('event', site)).keys()];
    const [view = '', ...more] = views.filter((known) => !others.has(known));
    expect([more, await viewsIn('stretch', site)]).toEqual([[], new Map()]);
    const request = { accountId: site.accountId, view: 'one' };
    expect(await desk.eraser.count(desk.catalog, request)).toEqual({ views: 1, facts: 0 });

    await erase(site, { view: 'one' });
    expect(await viewsIn('event', site)).toEqual(others);
    await site.sendCmcd('one', 2, 8);
    expect(await viewsIn('event', site)).toEqual(others);
    expect(await playsOf(site)).toBe(0);
    await site.sendCmcd('other', 2, 8);
    const played = [...(await viewsIn('stretch', site)).keys()];
    expect([played.length, played.includes(view), await playsOf(site)]).toEqual([1, false, 1]);
  });

  test('a session of the player log is erased by its stored id, and late ranges stay out', async () => {
    const site = await newSite();
    await site.sendCmcd('other', 0, 4);
    const others = await viewsIn('stretch', site);
    await site.sendLog(5);
    const [view = '', ...more] = await newViews(site, others);
    expect([more, await playsOf(site)]).toEqual([[], 2]);
    expect((await viewsIn('event', site)).get(view)).toBeGreaterThan(0);

    await erase(site, { view });
    expect((await viewsIn('event', site)).get(view)).toBeUndefined();
    await site.sendLog(5);
    await site.sendLog(20);
    expect((await viewsIn('event', site)).get(view)).toBeUndefined();
    expect(await newViews(site, others)).toEqual([]);
    expect(await playsOf(site)).toBe(1);
  });

  test('of an erased video no event is left, and late ones count nothing', {
    tags: 'long',
  }, async () => {
    const site = await newSite();
    await site.sendCmcd('one', 0, 4);
    await site.sendLog(5);
    const played = [...(await viewsIn('stretch', site)).keys()];
    expect([played.length, await playsOf(site)]).toEqual([2, 2]);

    await erase(site, { accessKey: site.accessKey });
    const left = await viewsIn('event', site);
    expect(played.filter((view) => left.has(view))).toEqual([]);
    await site.sendCmcd('one', 0, 6);
    await site.sendLog(20);
    expect(await newViews(site, new Map())).toEqual([]);
    expect(await playsOf(site)).toBe(0);
  });
});
