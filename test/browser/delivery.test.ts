/** How beacons reach the server when the network, the server or the page fails. */
import type { Page } from '../support/browser.ts';
import {
  expectReported,
  expectReportedMs,
  keptIn,
  pause,
  play,
  playedFor,
  type Stage,
  toleranceMs,
  useStage,
} from './stage.ts';

// At once: each of them mostly plays, or waits.
const test = useStage().concurrent;
const hourMs = 3_600_000;

const beaconsSent = ({ recorder }: Stage) => recorder.requests.flatMap(({ beacons }) => beacons);

async function playFor(page: Page, playedMs: number): Promise<void> {
  await play(page);
  await playedFor(page, playedMs);
  await pause(page);
}

/** The stretch began when the page saw the media advance, by a server's clock so far ahead. */
async function expectBegun({ recorder, expect }: Stage, page: Page, skewMs: number): Promise<void> {
  const beganMs = (await page.evaluate(() => window.began())) + skewMs;
  const at = Date.parse(recorder.stretches()[0]?.at ?? '');
  expect(Math.abs(at - beganMs)).toBeLessThan(toleranceMs);
}

test('no beacon is sent before the clock is known, and the play is filed when it began', async ({
  stage,
  expect,
}) => {
  stage.recorder.behave({ kind: 'drop' });
  stage.recorder.setSkewMs(7 * hourMs);
  const page = await stage.open('/module.html');
  await playFor(page, 1500);
  expect(beaconsSent(stage)).toEqual([]);
  stage.recorder.behave({ kind: 'accept' });
  await expectReported(stage, page);
  await expectBegun(stage, page, 7 * hourMs);
});

test('a reload brings along what was not yet reported', async ({ stage, expect }) => {
  stage.recorder.behave({ kind: 'drop' });
  const page = await stage.open('/module.html');
  await playFor(page, 1500);
  const measuredMs = await page.evaluate(() => window.measured());
  await page.reload();
  stage.recorder.behave({ kind: 'accept' });
  await expectReportedMs(stage, measuredMs);
  expect(stage.recorder.views()).toBe(1);
  await expect.poll(() => keptIn(page)).toBe(0);
});

test('on a video it listens once to each of fourteen events, which tell the position as well', async ({
  stage,
  expect,
}) => {
  const page = await stage.context.newPage();
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    const ofMedia: [string, unknown][] = [];
    // The page measures by listeners of its own. By `playmeter:` the tracker learns of another one.
    const isTracker = (listener: unknown) =>
      ofMedia.some(([type, other]) => other === listener && type.startsWith('playmeter:'));
    const heardByTracker = () =>
      ofMedia.filter(([, listener]) => isTracker(listener)).map(([type]) => type);
    Object.assign(window, { heardByTracker });
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (this instanceof HTMLMediaElement) ofMedia.push([type, listener]);
      addEventListener.call(this, type, listener, options);
    };
  });
  await page.goto(`${stage.site.url}/module.html`);
  await play(page);
  await playedFor(page, 800);
  const heard = await page.evaluate((): string[] => Reflect.get(window, 'heardByTracker')());
  expect(heard.toSorted()).toEqual([
    ...['canplaythrough', 'emptied', 'ended', 'error', 'loadstart', 'pause', 'play', 'playing'],
    ...['playmeter', `playmeter:${stage.recorder.url}`],
    ...['progress', 'ratechange', 'seeking', 'timeupdate', 'waiting'],
  ]);
  await page.evaluate(() => window.tracking.stop());
  await expect
    .poll(() => beaconsSent(stage).at(-1))
    .toMatchObject({ position: expect.any(Number) });
});

test('after stop() nothing is listened to and nothing is reported', { tags: 'long' }, async ({
  stage,
  expect,
}) => {
  const page = await stage.context.newPage();
  await page.addInitScript(() => {
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    const listening = new Set<string>();
    Object.assign(window, { listening });
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      listening.add(type);
      addEventListener.call(this, type, listener, options);
    };
    EventTarget.prototype.removeEventListener = function (type, listener, options) {
      listening.delete(type);
      removeEventListener.call(this, type, listener, options);
    };
  });
  await page.goto(`${stage.site.url}/module.html`);
  const listening = () => page.evaluate((): string[] => [...Reflect.get(window, 'listening')]);
  const trackers = await listening();
  expect(trackers.length).toBeGreaterThan(10);
  await play(page);
  await playedFor(page, 800);
  const stoppedMs = await page.evaluate(() => {
    window.tracking.stop();
    window.tracking.stop();
    return window.measured();
  });
  // The test driver has put listeners of its own there meanwhile.
  expect((await listening()).filter((type) => trackers.includes(type))).toEqual([]);
  await expectReportedMs(stage, stoppedMs);
  const reportedMs = stage.recorder.playMs();
  await playedFor(page, stoppedMs + 1_000);
  await page.evaluate(() => window.tracking.stop());
  await page.goto(`${stage.site.url}/elsewhere.html`);
  expect(stage.recorder.playMs()).toBe(reportedMs);
});

async function openBroken(stage: Stage, breakIt: () => unknown): Promise<Page> {
  const page = await stage.context.newPage();
  await page.addInitScript(breakIt);
  await page.goto(`${stage.site.url}/module.html`);
  return page;
}

test('a page over plain http whose storage throws is tracked all the same', {
  tags: 'long',
}, async ({ stage }) => {
  const page = await openBroken(stage, () => {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined });
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await playFor(page, 1000);
  await expectReported(stage, page);
});

const brokenPages = [
  {
    page: 'whose fetch throws',
    breakIt: () =>
      Object.assign(window, {
        fetch: () => {
          throw new Error('broken');
        },
      }),
  },
  { page: 'without crypto', breakIt: () => Object.defineProperty(window, 'crypto', { value: {} }) },
];

test.for(brokenPages)(
  'a page $page plays on and hears no error',
  async ({ breakIt }, { stage, expect }) => {
    const page = await openBroken(stage, breakIt);
    await playFor(page, 600);
    expect(stage.recorder.playMs()).toBe(0);
  },
);

test('track() of what is no element, or with no options, throws nothing', async ({ stage }) => {
  const page = await stage.open('/module.html');
  await page.evaluate(() => {
    for (const value of [null, undefined, {}, 'video']) {
      window.track(value, window.options).stop();
      window.track(document.querySelector('video'), value).stop();
    }
  });
});
