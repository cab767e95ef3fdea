/** Real playback becomes curves: how far the film was watched, and by how many at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { accepted } from '../../src/managing/accepted.ts';
import { type Browser, type BrowserContext, personAt, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { type Site, startSite } from './site.ts';
import { keptIn } from './stage.ts';

let service: TestService;
let proxy: RecordingProxy;
let site: Site;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  proxy = await startRecordingProxy(service.url);
  site = await startSite(proxy.url);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await proxy?.close();
  await service?.stop();
});

type Tab = Awaited<ReturnType<BrowserContext['newPage']>>;
type Steps = Parameters<typeof window.watched.watch>[];

let account: TestAccount;
let accessKey: string;
let videoKey: string;
let context: BrowserContext;
let client: Playmeter;
beforeEach(async () => {
  account = await service.addAccount();
  accessKey = await account.addVideo();
  videoKey = await account.publish(await account.addPackage(), accessKey);
  context = await browser.newContext(personAt(browser));
  client = new Playmeter({ url: service.url, key: account.key });
});

async function openTab(): Promise<Tab> {
  const tab = await context.newPage();
  await tab.goto(`${site.url}/watched.html?key=${videoKey}&tab=1`);
  await tracked(tab);
  return tab;
}

const tracked = (tab: Tab) => tab.waitForFunction(() => window.isTracked);

/** In the page: on a busy machine the film would run far on between two steps of the test. */
const watch = (tab: Tab, ...steps: Steps) =>
  tab.evaluate(async (all) => {
    for (const step of all) await window.watched.watch(...step);
  }, steps);

const pausedParts = (tab: Tab) =>
  tab.evaluate(() => {
    document.querySelector('video')?.pause();
    return window.watched.parts();
  });

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}
const range = () => ({ sdate: day(-1), edate: day(1) });

/** Between the two measurements of where a part begins, and of how long it is. */
const toleranceMs = 150;
const partMs = 500;

test('seeks back, double speed, two tabs and a reload: retention is what the pages measured', async () => {
  const [first, second] = [await openTab(), await openTab()];
  const lengthMs = await first.evaluate(() =>
    Math.round((document.querySelector('video')?.duration ?? 0) * 1_000),
  );
  const { accountId } = account;
  accepted(await service.catalog.videos.change(accountId, accessKey, { durationMs: lengthMs }));

  await Promise.all([
    watch(first, [{}, 1_500], [{ currentTime: 0.5 }, 1_500], [{ playbackRate: 2 }, 4_000]),
    watch(second, [{ currentTime: 3 }, 2_000], [{ currentTime: 2 }, 1_000]),
  ]);
  const ofSecond = await pausedParts(second);
  await first.reload();
  const left = await first.evaluate((): typeof ofSecond =>
    JSON.parse(sessionStorage.getItem('left') ?? ''),
  );
  await tracked(first);
  await watch(first, [{ currentTime: 6 }, 1_000], [{ currentTime: 5 }, 1_000]);
  const views = [left, await pausedParts(first), ofSecond];
  for (const tab of [first, second]) await expect.poll(() => keptIn(tab)).toBe(0);

  /** Views whose ranges, made longer by so much at either end, reach into the part. */
  const audienceOf = (fromMs: number, toMs: number, byMs: number) =>
    views.filter((ranges) =>
      ranges.some((one) => one.fromMs - byMs < toMs && one.untilMs + byMs > fromMs),
    ).length;
  const parts = Math.round(lengthMs / partMs);
  const playedMs = views.flat().reduce((sum, one) => sum + one.untilMs - one.fromMs, 0);
  await service.facts.rollUp();
  const retention = await client.statistics.retention({ ...range(), accessKey, parts });
  expect(retention).toMatchObject({ lengthMs, views: 3, positionedViews: 3 });
  for (const { fromMs, toMs, audience } of retention.list) {
    const [least, most] = [-toleranceMs, toleranceMs].map((ms) => audienceOf(fromMs, toMs, ms));
    expect([fromMs, audience]).toEqual([
      fromMs,
      expect.toSatisfy((number: number) => {
        return number >= (least ?? 0) && number <= (most ?? 0);
      }, `${least} to ${most}`),
    ]);
  }
  const watchedMs = retention.list.reduce((sum, one) => {
    return sum + one.watched * (one.toMs - one.fromMs) * retention.positionedViews;
  }, 0);
  expect(Math.abs(watchedMs - playedMs)).toBeLessThan(views.flat().length * toleranceMs);
});

test('three tabs that play at once are three at once', async () => {
  const tabs = [await openTab(), await openTab(), await openTab()];
  await Promise.all(tabs.map((tab) => watch(tab, [{}, 3_000])));
  // While the tabs play on, they are live.
  await expect
    .poll(async () => {
      await service.facts.rollUp();
      return (await client.statistics.live()).playing;
    })
    .toBe(3);
  await Promise.all(tabs.map(pausedParts));
  for (const tab of tabs) await expect.poll(() => keptIn(tab)).toBe(0);
  await service.facts.rollUp();
  const { list } = await client.statistics.concurrency({ ...range(), interval: 'minute' });
  expect(Math.max(...list.map(({ peak }) => peak))).toBe(3);
  const days = await client.statistics.concurrency({ ...range(), interval: 'day', accessKey });
  expect(Math.max(...days.list.map(({ peak }) => peak))).toBe(3);
});
