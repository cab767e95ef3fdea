/**
 * The tracker beside the players that people use, on real streams in a real browser, and the real
 * service: plays are counted once, and their time is that of the media's clock, within a second.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page, personAt, startBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { addFreshVideo, countedOf, expectNothingMore, expectOnePlay } from './counted.ts';
import { pause, play, playedFor, seek } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';
import { pathOf, type TrackedPlayer, trackedPages, trackedPlayers } from './tracked-pages.ts';

declare global {
  /** Loads the film and tracks it as this video. */
  var show: (videoKey: string) => Promise<void>;
  var hls: { recoverMediaError(): void; loadSource(url: string): void };
  var player: { reset(): void };
}

let service: TestService;
let browser: Browser;
let streams: Streams;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  streams = await startStreams(trackedPages(service.url));
});
afterAll(async () => {
  await browser?.close();
  await expectNothingMore(service);
  await streams?.close();
  await service?.stop();
});

async function open(player: TrackedPlayer, person = personAt(browser)): Promise<Page> {
  const page = await (await browser.newContext(person)).newPage();
  await page.goto(streams.url + pathOf(player));
  await page.waitForFunction(() => window.show);
  return page;
}

const names = Object.keys(trackedPlayers) as TrackedPlayer[];

// At once: each of them mostly plays.
test.concurrent.each(names)(
  '%s: one film, then another in its place, each one play and the time it advanced',
  async (who) => {
    const [first, second] = [await addFreshVideo(service), await addFreshVideo(service)];
    const page = await open(who);
    await showFilm(page, first.videoKey);
    await play(page);
    await playedFor(page, 2_500);
    await pause(page);
    await page.waitForTimeout(1_200);
    await play(page);
    await playedFor(page, 5_000);
    await seek(page, 40);
    await playedFor(page, 7_000);

    // As in a page that never loads anew: the other film comes while the first one plays.
    const firstMs = await showFilm(page, second.videoKey);
    await expectOnePlay(service, first, firstMs);
    // That the first one played on while it was taken away is no play of the second.
    expect(await countedOf(service, second)).toEqual({ plays: 0, playMs: 0 });
    await play(page);
    await playedFor(page, 3_000);
    await pause(page);
    await expectOnePlay(service, second, await measuredMs(page));
    // And nothing of the second one went to the first.
    await expectOnePlay(service, first, firstMs);
    await page.context().close();
  },
  120_000,
);

test.concurrent('hls.js attaches its media anew after an error: still the same play', async () => {
  const video = await addFreshVideo(service);
  const page = await open('hls.js');
  await showFilm(page, video.videoKey);
  await play(page);
  await playedFor(page, 2_000);
  const source = await sourceOf(page);
  await page.evaluate(() => window.hls.recoverMediaError());
  await playedFor(page, 4_000);
  await pause(page);
  expect(await sourceOf(page)).not.toBe(source);
  await expectOnePlay(service, video, await measuredMs(page));
  await page.context().close();
});

test.concurrent.each([
  { source: '/film.m3u8?renewed', plays: 1 },
  { source: '/short.m3u8', plays: 2 },
])(
  'hls.js loads $source in place of the film, without a word to the tracker: $plays',
  async (row) => {
    const video = await addFreshVideo(service);
    const page = await open('hls.js');
    await showFilm(page, video.videoKey);
    await play(page);
    await playedFor(page, 2_000);
    const source = await sourceOf(page);
    await page.evaluate((url) => {
      const element = document.querySelector('video') as HTMLVideoElement;
      element.pause();
      window.hls.loadSource(url);
    }, row.source);
    await page.waitForFunction(
      (before) => {
        const { currentSrc, readyState } = document.querySelector('video') as HTMLVideoElement;
        return currentSrc !== before && readyState >= 3;
      },
      source,
      { polling: 50 },
    );
    const firstMs = await measuredMs(page);
    await play(page);
    await playedFor(page, firstMs + 2_000);
    await pause(page);
    const bothMs = await measuredMs(page);
    await waitUntil(`${row.plays} play(s) of ${bothMs} ms`, async () => {
      const { plays, playMs } = await countedOf(service, video);
      return plays === row.plays && Math.abs(playMs - bothMs) < 1_000;
    });
    await page.context().close();
  },
  120_000,
);

test.concurrent('video.js replaces its element, on iPhones and at a reset', async () => {
  const [first, second] = [await addFreshVideo(service), await addFreshVideo(service)];
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15';
  const page = await open('video.js', { ...personAt(browser), userAgent });
  for (const video of [first, second]) {
    await showFilm(page, video.videoKey);
    await play(page);
    await playedFor(page, 2_000);
    await pause(page);
    const playedMs = await measuredMs(page);
    const isReplaced = await page.evaluate(() => {
      const before = document.querySelector('video');
      window.player.reset();
      return document.querySelector('video') !== before;
    });
    expect(isReplaced).toBe(true);
    await expectOnePlay(service, video, playedMs);
  }
  await page.context().close();
});

/** Gives what was measured of the film before it, in the moment that it is taken away. */
function showFilm(page: Page, videoKey: string): Promise<number> {
  return page.evaluate(async (key) => {
    const beforeMs = window.measured?.() ?? 0;
    await window.show(key);
    return beforeMs;
  }, videoKey);
}

function sourceOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector('video')?.currentSrc);
}

function measuredMs(page: Page): Promise<number> {
  return page.evaluate(() => window.measured());
}
