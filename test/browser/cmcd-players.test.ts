/**
 * Players as they come, each with its own CMCD version 2 settings and nothing of ours in the page,
 * play a real stream in a real browser: one play, and the time by which the media advanced.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { QueryAnswer } from '../../src/wire/questions/audience-messages.ts';
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
import {
  filmBitrate,
  intervalSeconds,
  type PlayerName,
  pagePaths,
  playerPages,
} from './player-pages.ts';
import { pause, play, playedFor, seek } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';
import { closePages, useDashboard } from './use-dashboard.ts';

const haveFutureData = 3;
/** The bound of docs/players.md for each play, pause and seek. */
const boundMs = 200;

declare global {
  var saidToPlay: () => number;
}

/** Files that the server holds back. */
const held = new Map<string, Promise<number>>();
let service: TestService;
let streams: Streams;
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  streams = await startStreams(playerPages(service.url), (pathname) => held.get(pathname) ?? 200);
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

/** Between what hls.js tells and what the page sees; an event comes up to a quarter later. */
const toldWithinMs = 250;

test('hls.js: a slow start, a stall and the bitrate are told as the page sees them', async () => {
  const video = await addFreshVideo(service);
  held.set('/film0.ts', sleep(2_000, 200));
  const page = await stage().openAsViewer(
    `${streams.url}${pagePaths['hls.js']}?key=${video.videoKey}`,
  );
  const started = page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const beganMs = performance.now();
    void video.play();
    await new Promise((resolve) => video.addEventListener('playing', resolve, { once: true }));
    return performance.now() - beganMs;
  });
  let release = (_: number) => {};
  held.set('/film3.ts', new Promise((resolve) => (release = resolve)));
  const startupMs = await started;
  const stalled = page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    const next = (type: string) =>
      new Promise<number>((resolve) =>
        video.addEventListener(type, () => resolve(performance.now()), { once: true }),
      );
    const beganMs = await next('waiting');
    return (await next('playing')) - beganMs;
  });
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) === 2);
  await page.waitForTimeout(1_500);
  release(200);
  const stallMs = await stalled;
  await pause(page);
  await settled(video);
  const told = await askQuality(video);
  expect(told).toMatchObject({
    ...{ attempts: 1, starts: 1, stalls: 1, startFailures: 0, bitrate: filmBitrate },
  });
  expect(Math.abs(Number(told.startupMs) - startupMs)).toBeLessThan(toldWithinMs);
  expect(Math.abs(Number(told.stallMs) - stallMs)).toBeLessThan(toldWithinMs);
  await page.context().close();
});

test('hls.js: a film that is missing is a start that failed, with the code', async () => {
  const video = await addFreshVideo(service);
  held.set('/films.m3u8', sleep(500, 404));
  const page = await stage().openAsViewer(
    `${streams.url}${pagePaths['hls.js']}?key=${video.videoKey}&autoplay`,
  );
  await expect
    .poll(async () => (await askQuality(video, 'error==manifestLoadError')).startFailures)
    .toBe(1);
  held.delete('/films.m3u8');
  await page.context().close();
});

test.each(['dash.js', 'Shaka Player'] as const)(
  '%s: what it tells of its start holds idle time, so it is in no measure of quality',
  { tags: 'long' },
  async (player) => {
    const { page, video } = await open(player, '');
    await play(page);
    await playedFor(page, 1_000);
    await pause(page);
    await settled(video);
    expect(await askQuality(video)).toMatchObject({ attempts: 0, stalls: 0 });
    await page.context().close();
  },
);

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

async function askQuality({ account }: FreshVideo, filters = '') {
  await service.facts.rollUp();
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const measures = filters
    ? 'startFailures'
    : 'attempts,starts,startFailures,startupMs,stalls,stallMs,bitrate';
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1), measures });
  if (filters) query.set('filters', filters);
  const answer = await service.get(`/report/statistics/video/v2/query?${query}`, account.key);
  return ((await answer.json()) as QueryAnswer).data.totals;
}

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
