/**
 * The tracker beside the players that people use, on real streams in a real browser, and the real
 * service: plays are counted once, and their time is that of the media's clock, within a second.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page, personAt, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { page as pageWith } from './player-pages.ts';
import { pause, play } from './stage.ts';
import { type Streams, startStreams } from './streams.ts';
import { pathOf, type TrackedPlayer, trackedPages, trackedPlayers } from './tracked-pages.ts';

const waiting = { timeout: 60_000, interval: 20 };
const boundMs = 1_000;

declare global {
  /** Loads the film and tracks it as this video. */
  var show: (videoKey: string) => Promise<void>;
  var hls: { recoverMediaError(): void };
}

let service: TestService;
let browser: Browser;
let streams: Streams;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  streams = await startStreams({ ...trackedPages(service.url), ...plainPages(service.url) });
});
afterAll(async () => {
  await browser?.close();
  await streams?.close();
  await service?.stop();
});

/** A page of plain elements: the tracker's script is told of one video by its key. */
function plainPages(serviceUrl: string): Record<string, string> {
  const script = `
    const tag = document.createElement('script');
    tag.src = '${serviceUrl}/tracker.js';
    tag.dataset.videoKey = new URLSearchParams(location.search).get('key');
    document.head.append(tag);
    video.src = '/film.mp4';
    video.autoplay = true;
    document.onkeydown = () => video.requestPictureInPicture();`;
  return { '/plain.html': pageWith('data:text/javascript,', script) };
}

interface Tracked {
  readonly account: TestAccount;
  readonly packageId: number;
}

async function newTracked(): Promise<Tracked> {
  const account = await service.addAccount();
  return { account, packageId: await account.addPackage() };
}

async function newVideoKey({ account, packageId }: Tracked): Promise<string> {
  return account.publish(packageId, await account.addVideo());
}

async function open(path: string): Promise<Page> {
  const page = await (await browser.newContext(personAt(browser))).newPage();
  await page.goto(streams.url + path);
  return page;
}

const names = Object.keys(trackedPlayers) as TrackedPlayer[];

test('one film, then another in its place: each one play and the time it advanced', async () => {
  // At once: each of them mostly plays.
  await Promise.all(names.map(playTwoFilms));
}, 180_000);

async function playTwoFilms(name: TrackedPlayer): Promise<void> {
  const tracked = await newTracked();
  const [first, second] = [await newVideoKey(tracked), await newVideoKey(tracked)];
  const page = await open(pathOf(name));
  await showFilm(page, first);
  await play(page);
  await advanced(page, 2_500);
  await pause(page);
  await page.waitForTimeout(1_200);
  await play(page);
  await advanced(page, 5_000);
  await page.evaluate(() => {
    (document.querySelector('video') as HTMLVideoElement).currentTime = 40;
  });
  await advanced(page, 7_000);
  const ofFirst = await advancedMs(page);

  // As in a page that never loads anew: the other film comes while the first one plays.
  await showFilm(page, second);
  await play(page);
  await advanced(page, 3_000);
  await pause(page);
  const ofSecond = await advancedMs(page);
  await expectTold(name, tracked, [ofFirst, ofSecond]);
  await page.context().close();
}

test('hls.js attaches its media anew after an error: still the same play', async () => {
  const tracked = await newTracked();
  const page = await open(pathOf('hls.js'));
  await showFilm(page, await newVideoKey(tracked));
  await play(page);
  await advanced(page, 2_000);
  const source = await page.evaluate(() => document.querySelector('video')?.currentSrc);
  await page.evaluate(() => window.hls.recoverMediaError());
  await advanced(page, 4_000);
  await pause(page);
  expect(await page.evaluate(() => document.querySelector('video')?.currentSrc)).not.toBe(source);
  await expectTold('hls.js', tracked, [await advancedMs(page)]);
  await page.context().close();
}, 120_000);

test('autoplay without sound, then a picture in the picture: one play', async () => {
  const tracked = await newTracked();
  const page = await open(`/plain.html?key=${await newVideoKey(tracked)}`);
  await advanced(page, 2_000);
  await page.keyboard.press('p');
  await expect
    .poll(() => page.evaluate(() => document.pictureInPictureElement !== null), waiting)
    .toBe(true);
  await advanced(page, 5_000);
  await pause(page);
  await expectTold('plain', tracked, [await advancedMs(page)]);
  await page.context().close();
}, 120_000);

function showFilm(page: Page, videoKey: string): Promise<void> {
  return page.evaluate((key) => window.show(key), videoKey);
}

function advancedMs(page: Page): Promise<number> {
  return page.evaluate(() => window.advancedMs);
}

async function advanced(page: Page, untilMs: number): Promise<void> {
  await expect.poll(() => advancedMs(page), waiting).toBeGreaterThanOrEqual(untilMs);
}

/** Of each video that was played, in the order of their time: one play and so much of it. */
async function expectTold(
  name: string,
  { account }: Tracked,
  wantedMs: readonly number[],
): Promise<void> {
  const sorted = wantedMs.toSorted((one, other) => one - other);
  const differences = async () => {
    const told = await service.facts.read<{ plays: number; playMs: number }>({
      sql: `SELECT sum(plays) AS plays, sum(playMs) AS playMs FROM (
        SELECT videoId, max(plays) AS plays, max(playMs) AS playMs FROM stretch
        WHERE accountId = {accountId:UInt32} GROUP BY videoId, slot, view, stretch)
        GROUP BY videoId ORDER BY playMs`,
      parameters: { accountId: account.accountId },
    });
    expect(
      told.map(({ plays }) => plays),
      name,
    ).toEqual(wantedMs.map(() => 1));
    return told.map(({ playMs }, index) => Math.abs(playMs - (sorted[index] ?? 0)));
  };
  await expect
    .poll(async () => Math.max(...(await differences())), { timeout: 10_000, message: name })
    .toBeLessThan(boundMs);
}
