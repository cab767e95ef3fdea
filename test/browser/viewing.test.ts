/**
 * What viewers do with a plain `<video>`, in a real browser, and what the real service then answers:
 * plays are counted once, and their time is that of the page's own measurement, within a second.
 */
import { afterAll, expect, test } from 'vitest';
import { type BrowserContext, type Page, personAt } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { addFreshVideo, expectNothingMore, expectOnePlay, type FreshVideo } from './counted.ts';
import { type Site, startSite } from './site.ts';
import { pause, play, playedFor } from './stage.ts';
import { closePages, useDashboard } from './use-dashboard.ts';

let service: TestService;
let site: Site;
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  site = await startSite(service.url);
});
afterAll(async () => {
  await closePages(stage().browser);
  await expectNothingMore(service);
  await site?.close();
});

/** A viewer who opens the page of a new video. */
interface Viewer {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly video: FreshVideo;
}

async function openVideo(query = '', beforehand: () => void = () => {}): Promise<Viewer> {
  const video = await addFreshVideo(service);
  const { browser } = stage();
  const context = await browser.newContext(personAt(browser));
  const page = await context.newPage();
  await page.addInitScript(beforehand);
  await page.goto(`${site.url}/module.html?key=${video.videoKey}${query}`);
  return { context, page, video };
}

/** Pauses, and waits until what the page measured is counted as one play. */
async function expectCounted({ context, page, video }: Viewer): Promise<void> {
  await pause(page);
  await expectOnePlay(service, video, await page.evaluate(() => window.measured()));
  await context.close();
}

test.concurrent('autoplay without sound, then a picture in the picture: one play', {
  tags: 'long',
}, async () => {
  const viewer = await openVideo('&autoplay');
  await playedFor(viewer.page, 2_000);
  await viewer.page.evaluate(() => {
    document.onkeydown = () => document.querySelector('video')?.requestPictureInPicture();
  });
  await viewer.page.keyboard.press('p');
  await viewer.page.waitForFunction(() => document.pictureInPictureElement);
  await playedFor(viewer.page, 3_000);
  await expectCounted(viewer);
});

test.concurrent('Windows 11, on a page of another site, counts as Windows 11 from the start', async () => {
  const video = await addFreshVideo(service);
  const { browser } = stage();
  const context = await browser.newContext(personAt(browser));
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Emulation.setUserAgentOverride', {
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/147.0.0.0',
    userAgentMetadata: {
      platform: 'Windows',
      platformVersion: '15.0.0',
      architecture: 'x86',
      model: '',
      mobile: false,
    },
  });
  await page.goto(`${site.url}/module.html?key=${video.videoKey}`);
  await play(page);
  await playedFor(page, 1_500);
  await pause(page);
  await play(page);
  await playedFor(page, 3_000);
  await pause(page);
  await expectOnePlay(service, video, await page.evaluate(() => window.measured()));
  await context.close();
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1), os: 'Windows' });
  const path = `/report/statistics/video/v1/os/detail?${query}`;
  const { list } = await service.ask(path, video.account.key);
  expect(list).toMatchObject([{ detail: '11', videoCount: '1' }]);
});

// This build of Chromium shows every tab: the test fires the event that hides it in others.
test.concurrent('a tab in the background plays on, with rare timers and a busy page', {
  tags: 'long',
}, async () => {
  const viewer = await openVideo('', () => {
    const { setTimeout } = window;
    window.setTimeout = ((work: TimerHandler, waitMs = 0) =>
      setTimeout(work, Math.max(waitMs, 60_000))) as typeof window.setTimeout;
  });
  const { page } = viewer;
  // Not by waitForFunction, whose timers are rare there, too.
  const played = (untilMs: number) =>
    waitUntil(`${untilMs} ms played`, () =>
      page.evaluate((wantedMs) => window.measured() >= wantedMs, untilMs),
    );
  await play(page);
  await played(1_500);
  await (await viewer.context.newPage()).bringToFront();
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await played(3_000);
  // Longer without a look at the media than the tracker lets a stretch be behind.
  await page.evaluate(() => {
    const untilMs = performance.now() + 2_500;
    while (performance.now() < untilMs);
  });
  await played(7_000);
  await expectCounted(viewer);
});

// This build of Chromium has no back-forward cache, with whatever flags. A page in it stands still:
// the media stops, and goes on at the return, and of neither is an event.
test.concurrent('a page back from the back-forward cache goes on in the same play', async () => {
  const viewer = await openVideo();
  const { page } = viewer;
  await play(page);
  await playedFor(page, 2_500);
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const events = ['pause', 'play', 'playing', 'timeupdate'];
    const withhold = (event: Event) => event.stopImmediatePropagation();
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    for (const type of events) window.addEventListener(type, withhold, true);
    video.pause();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await video.play();
    await new Promise((resolve) => setTimeout(resolve));
    for (const type of events) window.removeEventListener(type, withhold, true);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await playedFor(page, 5_000);
  await expectCounted(viewer);
});
