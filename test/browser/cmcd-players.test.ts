/**
 * Players as they come, each with its own CMCD version 2 settings and nothing of ours in the page,
 * play a real stream in a real browser: one play, and the time by which the media advanced.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page, personAt, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { intervalSeconds, type PlayerName, pagePaths, playerPages } from './player-pages.ts';
import { pause, play } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';

const waiting = { timeout: 60_000, interval: 20 };
const haveFutureData = 3;
/** The bound of docs/players.md, 0.2 s each, for two plays, two pauses and a seek. */
const boundMs = 1_000;

let service: TestService;
let browser: Browser;
let account: TestAccount;
let streams: Streams;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** A page of the player, reporting for a video of an account of its own. */
async function open(player: PlayerName, query = ''): Promise<Page> {
  account = await service.addAccount();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  streams = await startStreams(playerPages(`${service.url}/collect/v1/cmcd/${videoKey}`));
  const page = await (await browser.newContext(personAt(browser))).newPage();
  await page.goto(streams.url + pagePaths[player] + query);
  await expect
    .poll(() => page.evaluate(() => document.querySelector('video')?.readyState), waiting)
    .toBeGreaterThanOrEqual(haveFutureData);
  return page;
}

async function close(page: Page): Promise<number> {
  const advancedMs = await page.evaluate(() => window.advancedMs);
  await page.context().close();
  await streams.close();
  return advancedMs;
}

test.each<[PlayerName, string]>([
  ['hls.js', ''],
  ['dash.js', ''],
  ['Shaka Player', '?autoplay'],
])(
  '%s: played, paused, resumed and sought is one play and the time it advanced',
  async (...args) => {
    const page = await open(...args);
    await play(page);
    await advanced(page, 3_000);
    await pause(page);
    await page.waitForTimeout(1_500);
    await play(page);
    await advanced(page, 7_000);
    await page.evaluate(() => {
      (document.querySelector('video') as HTMLVideoElement).currentTime = 40;
    });
    await advanced(page, 10_500);
    await pause(page);
    await settled();
    const advancedMs = await close(page);
    const { plays, playMs } = await told();
    expect(plays).toBe(1);
    expect(Math.abs(playMs - advancedMs)).toBeLessThan(boundMs);
    expect(await answered()).toEqual([
      { videoCount: '1', duration: String(Math.floor(playMs / 1_000)) },
    ]);
  },
  120_000,
);

test('a page that is closed while it plays loses at most an interval', async () => {
  const page = await open('hls.js');
  await play(page);
  await advanced(page, 7_000);
  const advancedMs = await close(page);
  await settled();
  const { plays, playMs } = await told();
  expect(plays).toBe(1);
  expect(playMs).toBeLessThan(advancedMs + boundMs);
  expect(playMs).toBeGreaterThan(advancedMs - intervalSeconds * 1_000 - boundMs);
}, 120_000);

test('Shaka Player 5.2.12, minified, leaves its states out: a play, and no time', async () => {
  const page = await open('Shaka Player, minified');
  await play(page);
  await advanced(page, (2 * intervalSeconds + 1) * 1_000);
  await pause(page);
  await settled();
  await close(page);
  expect(await told()).toEqual({ plays: 1, playMs: 0 });
}, 120_000);

async function advanced(page: Page, untilMs: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => window.advancedMs), waiting)
    .toBeGreaterThanOrEqual(untilMs);
}

/** Waits until nothing more comes. */
async function settled(): Promise<void> {
  let last = '';
  await expect
    .poll(
      async () => {
        const before = last;
        last = JSON.stringify(await told());
        return last === before;
      },
      { timeout: 30_000, interval: (intervalSeconds + 1) * 1_000 },
    )
    .toBe(true);
}

/** To the millisecond, from the facts. */
async function told(): Promise<{ plays: number; playMs: number }> {
  const [row] = await service.facts.read<{ plays: number; playMs: number }>({
    sql: `SELECT sum(plays) AS plays, sum(playMs) AS playMs FROM (
      SELECT max(plays) AS plays, max(playMs) AS playMs FROM stretch
      WHERE accountId = {accountId:UInt32} GROUP BY slot, view, stretch)`,
    parameters: { accountId: account.accountId },
  });
  return row ?? { plays: 0, playMs: 0 };
}

async function answered() {
  await service.facts.rollUp();
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1) });
  const address = `/report/statistics/video/v1/info/date?${query}`;
  const { list } = await service.ask(address, account.key);
  return list.map(({ videoCount, duration }) => ({ videoCount, duration }));
}
