/** What the tracker measures, in a real browser, against the page's own measurement. */
import { expect } from 'vitest';
import type { Page } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  expectReported,
  expectReportedMs,
  pause,
  play,
  playedFor,
  toleranceMs,
  useStage,
} from './stage.ts';

declare global {
  /** For how long the media was paused. */
  var pausedMs: () => number;
  /** How far the media is behind the clock since it first advanced: pauses and stalls. */
  var behindMs: () => number;
}

const test = useStage();
/** At once: each of them mostly plays, and a busy machine may let its video stall. */
const testBeside = test.concurrent;

test('a video played to its end is one play, reported in one stretch', async ({ stage }) => {
  let plays = 0;
  let videoKey = '';
  // On a busy machine the media itself may stand still, which makes two stretches.
  await waitUntil('a play without a stall', async () => {
    plays += 1;
    videoKey = `key-${plays}`;
    const page = await stage.open(`/module.html?key=${videoKey}`);
    await play(page, 9);
    await page.waitForFunction(() => document.querySelector('video')?.ended);
    await expectReported(stage, page, videoKey);
    return (await page.evaluate(() => window.behindMs())) < toleranceMs;
  });
  const reported = stage.recorder.stretches().filter((one) => one.videoKey === videoKey);
  expect(reported).toEqual([expect.objectContaining({ stretch: 0 })]);
  const reporting = stage.recorder.requests.filter(({ beacons }) => beacons.length > 0);
  expect(new Set(stage.recorder.requests.map(({ method }) => method))).toEqual(new Set(['POST']));
  expect(reporting[0]?.contentType).toMatch(/^text\/plain(;charset=UTF-8)?$/);
});

testBeside.for([
  { heartbeatMs: 3_600_000, reports: 1 },
  { heartbeatMs: 500, reports: 3 },
])(
  'while it plays on it is reported, with a heartbeat of $heartbeatMs ms',
  async (row, { stage, expect }) => {
    const { heartbeatMs, reports } = row;
    const page = await stage.open('/module.html');
    await page.evaluate((every) => {
      const video = document.querySelector('video') as HTMLVideoElement;
      video.loop = true;
      window.track(video, { ...window.options, heartbeatMs: every });
    }, heartbeatMs);
    await play(page);
    const reported = () => stage.recorder.requests.flatMap(({ beacons }) => beacons);
    await expect.poll(() => reported().length).toBeGreaterThanOrEqual(reports);
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(false);
    expect(stage.recorder.views()).toBe(1);
    await pause(page);
    await expectReported(stage, page);
  },
);

testBeside('nothing is reported of a video that was not played', async ({ stage, expect }) => {
  const page = await stage.open('/module.html');
  await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.currentTime = 5;
  });
  await page.waitForFunction(() => document.querySelector('video')?.seeking === false);
  await page.goto(`${stage.site.url}/elsewhere.html`);
  await expect.poll(() => stage.recorder.requests.length).toBeGreaterThan(0);
  expect(stage.recorder.stretches()).toEqual([]);
});

test('while a video has not come, where it is to begin is not how far it came', {
  tags: 'long',
}, async ({ stage }) => {
  const page = await stage.open('/module.html?src=/late.mp4');
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.play();
    for (const [position, rate] of [
      [1, 1.5],
      [5, 1],
    ] as const) {
      video.currentTime = position;
      video.playbackRate = rate;
      // An event at which the tracker looks.
      await new Promise((done) => video.addEventListener('ratechange', done, { once: true }));
      await new Promise((done) => setTimeout(done, 600));
    }
  });
  expect(stage.recorder.stretches()).toEqual([]);
  stage.site.releaseMedia();
  await playedFor(page, 1000);
  await pause(page);
  await expectReported(stage, page);
  // A busy machine may let the video stall, and so have more than one.
  const { position = 0, mediaMs = 0 } = stage.recorder.stretches().at(-1) ?? {};
  const seconds = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  expect(Math.abs(position + mediaMs - seconds * 1_000)).toBeLessThan(toleranceMs);
});

testBeside('playing again from the start is the same view', { tags: 'long' }, async ({ stage }) => {
  const page = await stage.open('/module.html');
  await play(page, 11);
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  await play(page);
  await playedFor(page, 1500);
  await pause(page);
  await expectReported(stage, page);
  expect(stage.recorder.views()).toBe(1);
});

testBeside('a stall does not count', async ({ stage, expect }) => {
  const page = await stage.open('/module.html?src=/stalling.mp4');
  await play(page);
  await page.waitForFunction(() => document.querySelector('video')?.readyState === 2);
  const stalledMs = Date.now();
  await expectReported(stage, page);
  const beforeMs = stage.recorder.playMs();
  await expect.poll(() => Date.now() - stalledMs).toBeGreaterThan(1500);
  expect(stage.recorder.playMs()).toBe(beforeMs);
  stage.site.releaseMedia();
  await playedFor(page, beforeMs + 1000);
  await pause(page);
  await expectReported(stage, page);
  expect(stage.recorder.stretches().length).toBeGreaterThanOrEqual(2);
  expect(stage.recorder.views()).toBe(1);
});

test.for([
  { next: 'a renewed URL of the same film', source: '/clip.mp4?signature=2', stretches: [0, 1] },
  { next: 'another film', source: '/short.mp4', stretches: [0, 0] },
])('$next on the same element: stretches $stretches', async ({ source, stretches }, { stage }) => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 800);
  // As a player that changes the quality does: where the last source was left.
  await page.evaluate(async (src) => {
    const video = document.querySelector('video') as HTMLVideoElement;
    // What advanced since the element's last word is gone with its source, and on a busy machine
    // that word may be long ago.
    await new Promise((said) => video.addEventListener('timeupdate', said, { once: true }));
    const { currentTime } = video;
    video.src = src;
    await new Promise((loaded) => video.addEventListener('loadedmetadata', loaded));
    // Another film begins at its beginning: a jump in it would be a stretch of its own.
    if (src.startsWith('/clip.mp4')) video.currentTime = currentTime;
    await video.play();
  }, source);
  await playedFor(page, 1600);
  await pause(page);
  await expectReported(stage, page);
  expect(stage.recorder.stretches().map(({ stretch }) => stretch)).toEqual(stretches);
});

testBeside(
  'a tracking that was taken over measures nothing when it is stopped later',
  { tags: 'long' },
  async ({ stage }) => {
    const page = await stage.open('/module.html');
    await play(page);
    await playedFor(page, 500);
    await page.evaluate(() => {
      window.track(document.querySelector('video'), window.options);
    });
    await playedFor(page, 2_500);
    await page.evaluate(() => window.tracking.stop());
    await pause(page);
    await expectReported(stage, page);
    // And the film goes on in its view.
    expect(stage.recorder.views()).toBe(1);
  },
);

testBeside(
  'tracking an element once more takes over, with the new key',
  { tags: 'long' },
  async ({ stage }) => {
    const page = await stage.open('/module.html');
    await play(page);
    await playedFor(page, 800);
    const firstMs = await page.evaluate(() => {
      const video = document.querySelector('video');
      // The same server, written in another way.
      const url = `${window.options.url}//`;
      window.track(video, { ...window.options, url, videoKey: 'next' });
      return window.measured();
    });
    await playedFor(page, firstMs + 1_200);
    await pause(page);
    await expectReported(stage, page);
    const bothMs = await page.evaluate(() => window.measured());
    await expectReportedMs(stage, firstMs, 'key');
    await expectReportedMs(stage, bothMs - firstMs, 'next');
  },
);

testBeside(
  'a view that the page names goes on when it is tracked again, also after a reload',
  async ({ stage }) => {
    const page = await stage.open('/module.html');
    const trackAgain = () =>
      page.evaluate(() => {
        const video = document.querySelector('video') as HTMLVideoElement;
        window.tracking = window.track(video, {
          ...window.options,
          videoKey: 'named',
          view: 'mine',
        });
      });
    const playOn = async (untilMs: number) => {
      await trackAgain();
      await play(page);
      await playedFor(page, untilMs);
      await pause(page);
      await page.evaluate(() => window.tracking.stop());
      return page.evaluate(() => window.measured());
    };
    await playOn(800);
    const beforeMs = await playOn(1_600);
    await page.reload();
    await page.waitForFunction(() => window.measured !== undefined);
    const afterMs = await playOn(800);
    await expectReportedMs(stage, beforeMs + afterMs, 'named');
    const numbers = stage.recorder.stretches().filter((one) => one.videoKey === 'named');
    expect(new Set(numbers.map(({ view }) => view)).size).toBe(1);
  },
);

testBeside('a page left in the middle has reported everything', async ({ stage }) => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 1800);
  const measuredMs = await leave(page, `${stage.site.url}/elsewhere.html`);
  await expectReportedMs(stage, measuredMs);
});

testBeside('a hidden page reports at once, and goes on playing', async ({ stage }) => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 1500);
  const hiddenMs = await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    return window.measured();
  });
  await expectReportedMs(stage, hiddenMs);
  await playedFor(page, hiddenMs + 1_000);
  await pause(page);
  await expectReported(stage, page);
  // A picture that stands still for lack of data ends a stretch, but not the view.
  expect(stage.recorder.views()).toBe(1);
});

/** Goes to another page of the site; gives what was measured until this one was hidden. */
async function leave(page: Page, url: string): Promise<number> {
  await page.evaluate(() => {
    window.addEventListener('pagehide', () => {
      sessionStorage.setItem('measured', String(window.measured()));
    });
  });
  await page.goto(url);
  return page.evaluate(() => Number(sessionStorage.getItem('measured')));
}
