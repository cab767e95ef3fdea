/** What a browser test plays on: a browser, a site with the tracker, and a far end that records. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  type Browser,
  type BrowserContext,
  type Page,
  personAt,
  startBrowser,
} from '../support/browser.ts';
import { type CollectRecorder, startCollectRecorder } from '../support/collect-recorder.ts';
import { type Site, startSite } from './site.ts';

/** What the fixture pages put on their window. */
declare global {
  var measure: (media: HTMLMediaElement) => () => number;
  var measured: () => number;
  var measuredSecond: () => number;
  var track: (media: unknown, options: unknown) => { stop(): void };
  var tracking: { stop(): void };
  var options: { url: string; videoKey: string };
}

export interface Stage {
  readonly recorder: CollectRecorder;
  readonly site: Site;
  /** One viewer's browser profile, new for every test. */
  readonly context: BrowserContext;
  /** Errors that reached any page: none may be the tracker's. */
  readonly pageErrors: Error[];
  open(path: string): Promise<Page>;
}

const toleranceMs = 500;

/** Sets a stage up for every test of a file. */
export function useStage(): Stage {
  let browser: Browser;
  const stage = { pageErrors: [] as Error[] } as { -readonly [K in keyof Stage]: Stage[K] };

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    stage.recorder = await startCollectRecorder();
    stage.site = await startSite(stage.recorder.url);
    stage.context = await browser.newContext(personAt(browser));
    stage.pageErrors.length = 0;
    stage.context.on('weberror', (error) => stage.pageErrors.push(error.error()));
  });
  afterEach(async () => {
    await stage.context.close();
    await stage.site.close();
    await stage.recorder.close();
    expect(stage.pageErrors).toEqual([]);
  });

  stage.open = async (path) => {
    const page = await stage.context.newPage();
    await page.goto(stage.site.url + path);
    return page;
  };
  return stage;
}

/** Plays on, from `from` seconds where given. */
export async function play(page: Page, from?: number): Promise<void> {
  await page.evaluate(async (position) => {
    const video = document.querySelector('video') as HTMLVideoElement;
    if (position !== undefined) video.currentTime = position;
    await video.play();
  }, from);
}

export async function seek(page: Page, seconds: number): Promise<void> {
  await page.evaluate((position) => {
    (document.querySelector('video') as HTMLVideoElement).currentTime = position;
  }, seconds);
}

export async function pause(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('video')?.pause());
}

/** Waits until the page has measured so much playing. */
export async function playedFor(page: Page, playedMs: number): Promise<void> {
  await page.waitForFunction((wantedMs) => window.measured() >= wantedMs, playedMs, {
    polling: 20,
    timeout: 20_000,
  });
}

/** Waits until what has been told is what the page measured. */
export async function expectTold(stage: Stage, page: Page, videoKey?: string): Promise<void> {
  const measuredMs = await page.evaluate(() => window.measured());
  await expectToldMs(stage, measuredMs, videoKey);
}

export async function expectToldMs(
  { recorder }: Stage,
  wantedMs: number,
  videoKey?: string,
): Promise<void> {
  await expect
    .poll(() => Math.abs(recorder.playMs(videoKey) - wantedMs), { timeout: 10_000 })
    .toBeLessThan(toleranceMs);
}
