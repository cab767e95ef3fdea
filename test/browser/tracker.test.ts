/** What the tracker measures, in a real browser, against the page's own measurement. */
import { expect, test } from 'vitest';
import { expectTold, expectToldMs, pause, play, playedFor, useStage } from './stage.ts';

const stage = useStage();

test('a video played to its end is one play, told in one stretch', async () => {
  const page = await stage.open('/module.html');
  await play(page, 9);
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  await expectTold(stage, page);
  expect(stage.recorder.stretches()).toHaveLength(1);
  expect(stage.recorder.stretches()[0]).toMatchObject({ stretch: 0, videoKey: 'key' });
  const telling = stage.recorder.requests.filter(({ beacons }) => beacons.length > 0);
  expect(new Set(stage.recorder.requests.map(({ method }) => method))).toEqual(new Set(['POST']));
  expect(telling[0]?.contentType).toBe('text/plain');
});

test('the play is told as soon as it begins, and its time while it goes on', async () => {
  const page = await stage.open('/module.html');
  await page.evaluate(() => {
    const video = document.querySelector('video');
    window.track(video, { ...window.options, heartbeatMs: 500 });
  });
  await play(page);
  await playedFor(page, 2000);
  await expectTold(stage, page);
  expect(stage.recorder.stretches()).toHaveLength(1);
  const told = stage.recorder.requests.flatMap(({ beacons }) => beacons);
  expect(told[0]?.playMs).toBeLessThan(600);
  expect(told.length).toBeGreaterThanOrEqual(3);
});

test('nothing is told of a video that was not played', async () => {
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

test('a pause ends a stretch, and the paused time does not count', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 1000);
  await pause(page);
  await expectTold(stage, page);
  const pausedMs = Date.now();
  await expect.poll(() => Date.now() - pausedMs).toBeGreaterThan(900);
  await play(page);
  await playedFor(page, 2000);
  await pause(page);
  await expectTold(stage, page);

  const [first, second] = stage.recorder.stretches();
  expect(stage.recorder.stretches().map(({ stretch }) => stretch)).toEqual([0, 1]);
  const gapMs = Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '') - (first?.playMs ?? 0);
  expect(gapMs).toBeGreaterThan(800);
});

test('while a video has not come, where it is to begin is not how far it came', async () => {
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
  await expectTold(stage, page);
  expect(stage.recorder.stretches()).toHaveLength(1);
});

test('seeking ends a stretch, and what was skipped does not count', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  for (const [index, target] of [6, 2, 9].entries()) {
    await playedFor(page, 700 * (index + 1));
    await page.evaluate((position) => {
      const video = document.querySelector('video') as HTMLVideoElement;
      video.currentTime = position;
    }, target);
  }
  await playedFor(page, 2800);
  await pause(page);
  await expectTold(stage, page);
  expect(stage.recorder.stretches().map(({ stretch }) => stretch)).toEqual([0, 1, 2, 3]);
  expect(stage.recorder.views()).toBe(1);
});

test('what was played just before each of many seeks counts', async () => {
  const page = await stage.open('/module.html');
  await play(page, 5);
  // In the page, and between two looks of the tracker, which come four times a second.
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    for (let seek = 1; seek <= 12; seek += 1) {
      while (window.measured() < seek * 150) await new Promise(requestAnimationFrame);
      video.currentTime = 5 - seek / 3;
    }
  });
  await playedFor(page, 12 * 150 + 500);
  await pause(page);
  await expectTold(stage, page);
});

test('playing again from the start is the same view', async () => {
  const page = await stage.open('/module.html');
  await play(page, 11);
  await page.waitForFunction(() => document.querySelector('video')?.ended);
  await play(page);
  await playedFor(page, 1500);
  await pause(page);
  await expectTold(stage, page);
  expect(stage.recorder.views()).toBe(1);
});

test('a stall does not count', async () => {
  const page = await stage.open('/module.html?src=/stalling.mp4');
  await play(page);
  await page.waitForFunction(() => document.querySelector('video')?.readyState === 2);
  const stalledMs = Date.now();
  await expectTold(stage, page);
  const beforeMs = stage.recorder.playMs();
  await expect.poll(() => Date.now() - stalledMs, { timeout: 5000 }).toBeGreaterThan(1500);
  expect(stage.recorder.playMs()).toBe(beforeMs);
  stage.site.releaseMedia();
  await playedFor(page, beforeMs + 1000);
  await pause(page);
  await expectTold(stage, page);
  expect(stage.recorder.stretches().length).toBeGreaterThanOrEqual(2);
  expect(stage.recorder.views()).toBe(1);
});

test('another source on the same element is another view', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 800);
  await page.evaluate(async () => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.src = '/clip.mp4?next';
    await video.play();
  });
  await playedFor(page, 1600);
  await pause(page);
  await expectTold(stage, page);
  expect(stage.recorder.views()).toBe(2);
  expect(stage.recorder.stretches().map(({ stretch }) => stretch)).toEqual([0, 0]);
});

test('tracking an element once more takes over, with the new key', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 800);
  await page.evaluate(() => {
    const video = document.querySelector('video');
    window.track(video, { ...window.options, videoKey: 'next' });
  });
  await playedFor(page, 1600);
  await pause(page);
  await expectTold(stage, page);
  await expectToldMs(stage, 800, 'key');
  await expectToldMs(stage, 800, 'next');
});

test('script tags track two elements of a page, one of which comes later', async () => {
  const page = await stage.open('/script-tag.html');
  await page.waitForFunction(() => window.measuredSecond !== undefined);
  await page.evaluate(async () => {
    const [video, audio] = [...document.querySelectorAll<HTMLMediaElement>('video, audio')];
    await Promise.all([video?.play(), audio?.play()]);
  });
  await playedFor(page, 1000);
  await page.evaluate(() => document.querySelector('audio')?.pause());
  await playedFor(page, 2000);
  await pause(page);
  await expectTold(stage, page, 'first');
  await expectToldMs(stage, await page.evaluate(() => window.measuredSecond()), 'second');
  expect(stage.recorder.views()).toBe(2);
});

test('a page left in the middle has told everything', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 1800);
  const measuredMs = await page.evaluate(() => window.measured());
  await page.goto(`${stage.site.url}/elsewhere.html`);
  await expectToldMs(stage, measuredMs);
});

test('a hidden page tells at once, and goes on playing', async () => {
  const page = await stage.open('/module.html');
  await play(page);
  await playedFor(page, 1500);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expectToldMs(stage, 1500);
  await playedFor(page, 2500);
  await pause(page);
  await expectTold(stage, page);
  expect(stage.recorder.stretches()).toHaveLength(1);
});
