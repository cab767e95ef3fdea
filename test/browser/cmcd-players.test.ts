/**
 * Players as they come, each with its own CMCD version 2 settings and nothing of ours in the page,
 * play a real stream in a real browser: one play, and the time by which the media advanced.
 */
import { afterAll, expect, test } from 'vitest';
import type { Page } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  addFreshVideo,
  countedOf,
  expectNothingMore,
  expectOnePlayBetween,
  type FreshVideo,
} from './counted.ts';
import { intervalSeconds, type PlayerName, pagePaths, playerPages } from './player-pages.ts';
import { pause, play, playedFor, seek } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';
import { closePages, useDashboard } from './use-dashboard.ts';

const haveFutureData = 3;
/** The bound of docs/players.md for each play, pause and seek. */
const boundMs = 200;

declare global {
  var saidToPlay: () => number;
}

let service: TestService;
let streams: Streams;
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  streams = await startStreams(playerPages(service.url));
});
afterAll(async () => {
  await closePages(stage().browser);
  await expectNothingMore(service);
  await streams?.close();
});

/** A page of the player, reporting for a new video. */
async function open(player: PlayerName, query: string): Promise<{ page: Page; video: FreshVideo }> {
  const video = await addFreshVideo(service);
  const url = `${streams.url}${pagePaths[player]}?key=${video.videoKey}${query}`;
  const page = await stage().openAsViewer(url);
  await page.waitForFunction(
    (wanted) => (document.querySelector('video')?.readyState ?? 0) >= wanted,
    haveFutureData,
  );
  return { page, video };
}

interface Measured {
  readonly advancedMs: number;
  /** As long as a player can believe that it plays: on a busy machine, the media stands still. */
  readonly saidMs: number;
}

function measure(page: Page): Promise<Measured> {
  return page.evaluate(() => ({ advancedMs: window.measured(), saidMs: window.saidToPlay() }));
}

async function playedAsMeasured(player: PlayerName, query: string): Promise<void> {
  const { page, video } = await open(player, query);
  await play(page);
  await playedFor(page, 3_000);
  await pause(page);
  await page.waitForTimeout(1_500);
  await play(page);
  await playedFor(page, 6_000);
  await seek(page, 40);
  await playedFor(page, 7_500);
  await page.evaluate(() => {
    (document.querySelector('video') as HTMLVideoElement).playbackRate = 2;
  });
  await playedFor(page, 10_500);
  await pause(page);
  await settled(video);
  const { advancedMs, saidMs } = await measure(page);
  // Two plays, two pauses, a seek.
  const allMs = 5 * boundMs;
  const longestMs = Math.max(advancedMs, saidMs) + allMs;
  await expectOnePlayBetween(service, video, advancedMs - allMs, longestMs);
  await page.context().close();
}

async function closedWhilePlaying(player: PlayerName, query: string): Promise<void> {
  const { page, video } = await open(player, query);
  await play(page);
  await playedFor(page, 7_000);
  const { advancedMs, saidMs } = await measure(page);
  const closingMs = performance.now();
  await page.context().close();
  const longestMs = Math.max(advancedMs, saidMs) + performance.now() - closingMs;
  await settled(video);
  const { plays, playMs } = await countedOf(service, video);
  expect(plays).toBe(1);
  expect(playMs).toBeLessThan(longestMs + boundMs);
  expect(playMs).toBeGreaterThan(advancedMs - intervalSeconds * 1_000 - boundMs);
}

// At once: each of them mostly plays. One player is shown each time, the others at length.
for (const [player, query, tags] of [
  ['hls.js', '', []],
  ['dash.js', '', ['long']],
  // It says that it plays once it has buffered, so it shall.
  ['Shaka Player', '&autoplay', ['long']],
] as const) {
  test.concurrent(
    `${player}: played, paused, resumed, sought and sped up is one play and the time it advanced`,
    { tags: [...tags] },
    () => playedAsMeasured(player, query),
  );
  test.concurrent(
    `${player}: a page that is closed while it plays loses at most an interval`,
    { tags: 'long' },
    () => closedWhilePlaying(player, query),
  );
}

test.concurrent('Shaka Player 5.2.12, minified, leaves its states out: a play, no time', {
  tags: 'long',
}, async () => {
  const { page, video } = await open('Shaka Player, minified', '');
  await play(page);
  await playedFor(page, (2 * intervalSeconds + 1) * 1_000);
  await pause(page);
  await settled(video);
  expect(await countedOf(service, video)).toEqual({ plays: 1, playMs: 0 });
  await page.context().close();
});

/** Waits until nothing more has come for longer than a player is silent. */
async function settled(video: FreshVideo): Promise<void> {
  let last = '';
  let sinceMs = 0;
  await waitUntil('nothing more comes', async () => {
    const counted = JSON.stringify(await countedOf(service, video));
    if (counted !== last) sinceMs = performance.now();
    last = counted;
    return performance.now() - sinceMs > (intervalSeconds + 1) * 1_000;
  });
}
