/** Where a browser test takes place: a browser, a site with the tracker, and a recording server. */
import { afterAll, test as base, beforeAll, type ExpectStatic, expect } from 'vitest';
import { type Browser, type BrowserContext, type Page, personAt } from '../support/browser.ts';
import { type CollectRecorder, startCollectRecorder } from '../support/collect-recorder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { patienceMs } from './dashboard.ts';
import { type Site, startSite } from './site.ts';
import { useBrowser } from './use-dashboard.ts';

/** What the fixture pages put on their window. */
declare global {
  /** When the media first advanced, by the device's clock. */
  var began: () => number;
  var measure: (media: HTMLMediaElement) => () => number;
  var measured: () => number;
  var measuredSecond: () => number;
  var track: (media: unknown, options: unknown) => { hold(): void; resume(): void; stop(): void };
  var tracking: { stop(): void };
  var options: { url: string; videoKey: string };
}

export interface Stage {
  readonly recorder: CollectRecorder;
  readonly site: Site;
  /** One viewer's browser profile, new for every test. */
  readonly context: BrowserContext;
  /** That of the test itself, of which others may run at the same time. */
  readonly expect: ExpectStatic;
  /** Errors that reached any page: none may be the tracker's. */
  readonly pageErrors: Error[];
  open(path: string): Promise<Page>;
}

/** Between what the tracker reports and what the page measured. */
export const toleranceMs = 500;

/** What a recorder has been found to hold, looked at again when the file ends. */
interface Finding {
  readonly recorder: CollectRecorder;
  readonly videoKey: string | undefined;
  readonly wantedMs: number;
}
const findings = new Map<string, Finding>();

const quietMs = 1_000;

/** The `test` of a file, each of which gets a stage of its own. */
export function useStage() {
  const findBrowser = useBrowser();
  const closers: (() => Promise<void>)[] = [];

  // Of the file before.
  beforeAll(() => findings.clear());
  afterAll(async () => {
    // Pages have been left: whatever they counted too much has come by now.
    const recorders = [...findings.values()].map(({ recorder }) => recorder);
    await quiet(() => recorders.reduce((sum, { requests }) => sum + requests.length, 0));
    const wrong = [...findings.values()].filter(
      ({ recorder, videoKey, wantedMs }) =>
        Math.abs(recorder.playMs(videoKey) - wantedMs) >= toleranceMs,
    );
    for (const close of closers) await close();
    expect(wrong).toEqual([]);
  });

  const test = base.extend('stage', ({ task }) => setStage(findBrowser(), task.context.expect));
  test.afterEach(async ({ stage: { context, site, recorder, pageErrors } }) => {
    closers.push(() => context.close(), site.close, recorder.close);
    await context.setOffline(false);
    await Promise.all(context.pages().map((page) => page.goto('about:blank')));
    expect(pageErrors).toEqual([]);
  });
  return test;
}

async function setStage(browser: Browser, expect: ExpectStatic): Promise<Stage> {
  const recorder = await startCollectRecorder();
  const site = await startSite(recorder.url);
  const context = await browser.newContext(personAt(browser));
  context.setDefaultTimeout(patienceMs);
  const pageErrors: Error[] = [];
  context.on('weberror', (error) => pageErrors.push(error.error()));
  return {
    ...{ recorder, site, context, expect, pageErrors },
    async open(path) {
      const page = await context.newPage();
      await page.goto(site.url + path);
      return page;
    },
  };
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
    timeout: 200_000,
  });
}

/** Waits until the server has what the page measured, and the page has nothing left to send. */
export async function expectReported(stage: Stage, page: Page, videoKey?: string): Promise<void> {
  const { expect } = stage;
  const measuredMs = await page.evaluate(() => window.measured());
  await expectReportedMs(stage, measuredMs, videoKey);
  await expect.poll(() => keptIn(page)).toBe(0);
  expect(Math.abs(stage.recorder.playMs(videoKey) - measuredMs)).toBeLessThan(toleranceMs);
}

/** Waits until the server has it. It is looked at again when the file ends. */
export async function expectReportedMs(
  { recorder, expect }: Stage,
  wantedMs: number,
  videoKey?: string,
): Promise<void> {
  findings.set(`${recorder.url} ${videoKey}`, { recorder, videoKey, wantedMs });
  await expect.poll(() => Math.abs(recorder.playMs(videoKey) - wantedMs)).toBeLessThan(toleranceMs);
}

/** How many pages keep beacons that the server has not acknowledged. */
export function keptIn(page: Page): Promise<number> {
  return page.evaluate(() => {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith('playmeter ')).length;
    } catch {
      // A page whose storage is blocked keeps nothing.
      return 0;
    }
  });
}

/** Waits until a number has stayed the same for a while: only time can show that nothing comes. */
async function quiet(count: () => number): Promise<void> {
  let last = -1;
  let sinceMs = 0;
  await waitUntil('nothing more comes', () => {
    if (count() !== last) sinceMs = performance.now();
    last = count();
    return performance.now() - sinceMs > quietMs;
  });
}
