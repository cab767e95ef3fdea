/**
 * The tracker beside the players that people use, on real streams in a real browser, and the real
 * service: plays are counted once, and their time is that of the media's clock, within a second.
 */
import { afterAll, expect, test } from 'vitest';
import type { BrowserContextOptions, Page } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { addFreshVideo, countedOf, expectNothingMore, expectOnePlay } from './counted.ts';
import { page as pageWith } from './player-pages.ts';
import { pause, play, playedFor, seek } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';
import { closePages, useDashboard } from './use-dashboard.ts';

/** What a page does with its player; `show` is what docs/players.md shows. */
interface Player {
  readonly library: string;
  readonly make: string;
  /** Tracks with `options` and loads `film`, a URL without its ending. */
  readonly show: string;
}

const trackedPlayers = {
  'hls.js': {
    library: '/hls.js',
    make: 'window.hls = new Hls(); hls.attachMedia(video);',
    show: `
      video.pause();
      track(video, options);
      hls.loadSource(film + '.m3u8');`,
  },
  'dash.js': {
    library: '/dash.js',
    make: 'const player = dashjs.MediaPlayer().create(); player.initialize(video, null, false);',
    show: `
      video.pause();
      track(video, options);
      player.attachSource(film + '.mpd');`,
  },
  'Shaka Player': {
    library: '/shaka.js',
    make: 'const player = new shaka.Player(); await player.attach(video);',
    show: `
      video.pause();
      track(video, options);
      player.load(film + '.mpd');`,
  },
  'video.js': {
    library: '/video.js',
    make: 'window.player = videojs(video);',
    show: `
      player.pause();
      track(player.el().querySelector('video'), options);
      player.src({ src: film + '.m3u8', type: 'application/x-mpegURL' });`,
  },
} as const satisfies Record<string, Player>;
type TrackedPlayer = keyof typeof trackedPlayers;

/**
 * `show(videoKey)` loads the film, once more or for the first time, and tracks it as that video.
 */
function trackedPages(serviceUrl: string): Record<string, string> {
  const pages = Object.entries(trackedPlayers).map(([name, { library, make, show }]) => {
    const script = `
      import { track } from '${serviceUrl}/tracker.mjs';
      ${make}
      window.show = async (videoKey) => {
        const film = location.origin + '/film';
        const canPlay = new Promise((resolve) => {
          document.addEventListener('canplay', resolve, { capture: true, once: true });
        });
        const options = { url: '${serviceUrl}', videoKey };
        ${show}
        await canPlay;
        window.measured = measure(document.querySelector('video'));
      };`;
    return [pathOf(name as TrackedPlayer), pageWith(library, script)];
  });
  return Object.fromEntries(pages);
}

function pathOf(player: TrackedPlayer): string {
  return trackedPlayers[player].library.replace('.js', '.html');
}

declare global {
  /** Loads the film and tracks it as this video. */
  var show: (videoKey: string) => Promise<void>;
  var hls: { recoverMediaError(): void; loadSource(url: string): void };
  var player: { reset(): void };
}

let service: TestService;
let streams: Streams;
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  streams = await startStreams(trackedPages(service.url));
});
afterAll(async () => {
  await closePages(stage().browser);
  await expectNothingMore(service);
  await streams?.close();
});

async function open(player: TrackedPlayer, person?: BrowserContextOptions): Promise<Page> {
  const page = await stage().openAsViewer(streams.url + pathOf(player), person);
  await page.waitForFunction(() => window.show);
  return page;
}

// At once: each of them mostly plays.
test.concurrent.each(Object.keys(trackedPlayers) as TrackedPlayer[])(
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
);

test.concurrent('video.js replaces its element, on iPhones and at a reset', async () => {
  const [first, second] = [await addFreshVideo(service), await addFreshVideo(service)];
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15';
  const page = await open('video.js', { userAgent });
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
