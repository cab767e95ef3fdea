/** The main job, end to end: a real playback in a real browser becomes a number in the statistics. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Page, personAt } from '../support/browser.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { pause, play, seek } from './stage.ts';
import { awayFromMidnight, useBrowser } from './use-dashboard.ts';

const waiting = { interval: 20 };
const haveFutureData = 3;

let service: ServiceProcess;
const browser = useBrowser();
beforeAll(async () => {
  service = await startServiceProcess();
  await awayFromMidnight();
});
afterAll(async () => {
  await service?.remove();
});

declare global {
  /** How far the media came by playing, in milliseconds, as this test measures it. */
  var advancedMs: number;
}

test('a clip played, paused, resumed and sought is one play and the time it advanced', async () => {
  const page = await (await browser().newContext(personAt(browser()))).newPage();
  await page.goto(service.pageUrl);
  await expect
    .poll(() => page.evaluate(() => document.querySelector('video')?.readyState), waiting)
    .toBeGreaterThanOrEqual(haveFutureData);
  await page.evaluate(measureHere);

  await play(page);
  await advanced(page, 3_000);
  await pause(page);
  await page.waitForTimeout(1_500);
  await play(page);
  await advanced(page, 5_000);
  await seek(page, 1);
  // To the middle of a second: half a second more or less, and the answer would be another.
  await advanced(page, 8_500);
  await pause(page);
  const measuredMs = await page.evaluate(() => window.advancedMs);
  const shortest = String(Math.floor((measuredMs - 500) / 1_000));
  const longest = String(Math.floor((measuredMs + 500) / 1_000));

  await expect.poll(() => ask()).toMatchObject([{ videoCount: '1' }]);
  await settled();
  const [row] = await ask();
  expect([shortest, longest]).toContain(row?.duration);
});

async function ask(): Promise<{ videoCount: string; duration: string; date: string }[]> {
  const { list } = (await answer()).data;
  return list;
}

async function answer() {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1) });
  const response = await fetch(`${service.url}/report/statistics/video/v1/info/date?${query}`, {
    headers: { 'x-api-key': service.key },
  });
  const body = await response.json();
  return { ...body, completeThrough: Date.parse(response.headers.get('complete-through') ?? '') };
}

/** Waits until the answers hold everything that was acknowledged by now. */
async function settled(): Promise<void> {
  const now = Date.now() + 1_000;
  await expect.poll(async () => (await answer()).completeThrough).toBeGreaterThan(now);
}

function measureHere(): void {
  const video = document.querySelector('video') as HTMLVideoElement;
  window.advancedMs = 0;
  let last = video.currentTime;
  // As `measure` of pages/measure.js does.
  let isNoted = false;
  video.addEventListener('seeking', () => {
    last = video.currentTime;
  });
  video.addEventListener('playing', () => {
    if (!isNoted) last = video.currentTime;
    isNoted = true;
  });
  function look() {
    const step = video.currentTime - last;
    last = video.currentTime;
    if (isNoted && !video.seeking && step > 0) window.advancedMs += step * 1_000;
  }
  video.addEventListener('pause', () => {
    look();
    isNoted = false;
  });
  setInterval(look, 20);
}

/** Not by waitForFunction: the page's content security policy, which is on trial too, forbids it. */
async function advanced(page: Page, untilMs: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => window.advancedMs), waiting)
    .toBeGreaterThanOrEqual(untilMs);
}
