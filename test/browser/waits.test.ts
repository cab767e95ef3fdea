/**
 * Waits of real players on media that comes late, stalls or fails, as the tracker reports them. The
 * page looks at the clock of the media by itself: the two are within 0.15 s.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page, personAt, startBrowser } from '../support/browser.ts';
import {
  type CollectRecorder,
  type RecordedWait,
  startCollectRecorder,
} from '../support/collect-recorder.ts';
import { page as pageWith } from './player-pages.ts';
import { type Shape, type Streams, startStreams } from './streams.ts';
import { useBrowser } from './use-dashboard.ts';

const toleranceMs = 150;

/**
 * The player's library, how it loads the film, and its adapter for the tracker. None tries again
 * what failed.
 */
const players = {
  plain: ['/measure.js', `video.src = '/film.mp4';`],
  'hls.js': [
    '/hls.js',
    `const { default: policy } = Hls.DefaultConfig.fragLoadPolicy;
    const fragLoadPolicy = { default: { ...policy, errorRetry: null } };
    const hls = new Hls({ fragLoadPolicy });
    observe(hls); hls.attachMedia(video); hls.loadSource('/film.m3u8');`,
  ],
  'dash.js': [
    '/dash.js',
    `const player = dashjs.MediaPlayer().create();
    player.updateSettings({ streaming: { retryAttempts: { MediaSegment: 0 } } });
    player.initialize(video, location.origin + '/film.mpd', false); observe(player);`,
  ],
  'Shaka Player': [
    '/shaka.js',
    `const player = new shaka.Player(); await player.attach(video);
    player.configure('streaming.retryParameters.maxAttempts', 1);
    const { fail } = observe(player);
    player.load(location.origin + '/film.mpd').catch(fail);`,
  ],
  'video.js': [
    '/video.js',
    `const player = videojs(video); observe(player);
    player.src({ src: location.origin + '/film.m3u8', type: 'application/x-mpegURL' });`,
  ],
} as const;
type Player = keyof typeof players;

interface Moment {
  readonly fromMs: number;
  readonly untilMs: number;
}

declare global {
  var beginFilm: () => Promise<void>;
  /** Asks the media to play; gives why it does not. */
  var ask: () => Promise<string | undefined>;
  /** When the media stood still, once asked to play: at first until the first frame. */
  var stood: Moment[];
}

/** How the server treats a file until it is told otherwise. */
const held = new Map<string, Shape | Promise<Shape>>();
let recorder: CollectRecorder;
let streams: Streams;
const findBrowser = useBrowser();

beforeAll(async () => {
  recorder = await startCollectRecorder();
  const tracker = await readBuilt('tracker');
  const pages = Object.entries(players).map(async ([name, [library, load]]) => {
    const adapter = name === 'plain' ? '' : await readBuilt(adapterOf(name as Player));
    const script = `
      const load = (text) =>
        import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
      const { track } = await load(${JSON.stringify(tracker)});
      const { observe } = await load(${JSON.stringify(adapter)});
      track(video, { url: '${recorder.url}', videoKey: query.get('key') });
      window.stood = [];
      let last = 0;
      let lastMs;
      const look = () => {
        const now = performance.now();
        const { currentTime } = video;
        if (currentTime !== last) {
          // A busy page draws no frame for a while, but its media goes on.
          const stoodMs = now - lastMs - (currentTime - last) * 1_000;
          if (lastMs !== undefined && (window.stood.length === 0 || stoodMs > 200)) {
            window.stood.push({ fromMs: lastMs, untilMs: now });
          }
          last = currentTime;
          lastMs = now;
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      window.ask = () => {
        lastMs = performance.now();
        return video.play().catch(({ name }) => name);
      };
      window.beginFilm = async () => {
        lastMs = performance.now();
        ${load}
        await window.ask();
      };
      const way = query.get('alone');
      if (way) {
        video.muted = false;
        video.autoplay = way === 'autoplay';
        video.src = '/film.mp4';
        if (way === 'play()') document.title = await video.play().catch(({ name }) => name);
        document.addEventListener('click', () => void window.ask());
      }`;
    return [pathOf(name as Player), pageWith(library, script)];
  });
  streams = await startStreams(
    Object.fromEntries(await Promise.all(pages)),
    (pathname) => held.get(pathname) ?? 200,
  );
});
afterEach(() => held.clear());
afterAll(async () => {
  await streams?.close();
  await recorder?.close();
});

const readBuilt = (name: string) =>
  readFile(new URL(`../../tracker/dist/${name}.mjs`, import.meta.url), 'utf8');

function adapterOf(player: Player): string {
  return player === 'Shaka Player' ? 'shaka' : player.replace('.', '');
}

function pathOf(player: Player): string {
  return `/${player.replaceAll(/\W/g, '')}.html`;
}

const isDash = (player: Player) => player === 'dash.js' || player === 'Shaka Player';

/** What a player asks for first. */
function manifestOf(player: Player): string {
  if (player === 'plain') return '/film.mp4';
  return isDash(player) ? '/film.mpd' : '/film.m3u8';
}

/** The picture from a second on which a segment begins. */
function segmentAt(player: Player, second: number): string {
  const index = second / 2;
  const number = String(index + 1).padStart(5, '0');
  return isDash(player) ? `/chunk-stream0-${number}.mp4` : `/film${index}.ts`;
}

async function open(player: Player, key: string, browser: Browser = findBrowser()): Promise<Page> {
  const context = await browser.newContext(personAt(browser));
  const page = await context.newPage();
  await page.goto(`${streams.url}${pathOf(player)}?key=${key}`);
  await page.waitForFunction(() => 'beginFilm' in window);
  return page;
}

const begin = (page: Page) => page.evaluate(() => void window.beginFilm());
const pause = (page: Page) => page.evaluate(() => document.querySelector('video')?.pause());
const waitsOf = (key: string): RecordedWait[] =>
  recorder.waits().filter(({ videoKey }) => videoKey === key);
const stoodMsOf = async (page: Page): Promise<number[]> =>
  (await page.evaluate(() => window.stood)).map(({ fromMs, untilMs }) => untilMs - fromMs);

async function playedTo(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.querySelector('video')?.currentTime ?? 0) >= wanted,
    seconds,
    { polling: 20 },
  );
}

function expectAbout(ms: number | undefined, expectedMs: number | undefined): void {
  expect(Math.abs((ms ?? Number.NaN) - (expectedMs ?? Number.NaN))).toBeLessThan(toleranceMs);
}

/** One player shows it each time, the others at length. */
const tagsOf = (player: Player) =>
  player === 'plain' || player === 'hls.js' ? [] : ['long' as const];

for (const player of Object.keys(players) as Player[]) {
  test(`${player}: a slow start is told as long as it lasted`, {
    tags: tagsOf(player),
  }, async () => {
    const key = `slow ${player}`;
    const page = await open(player, key);
    held.set(manifestOf(player), sleep(1_200, 200));
    await begin(page);
    await playedTo(page, 1);
    await pause(page);
    await expect.poll(() => waitsOf(key)[0]?.outcome).toBe('played');
    const [start] = waitsOf(key);
    expect(start).toMatchObject({ wait: 0, cause: 'start' });
    expectAbout(start?.waitMs, (await stoodMsOf(page))[0]);
    await page.context().close();
  });
}

test('a start that never comes is given up when the page is left', async () => {
  const page = await open('plain', 'left');
  held.set('/film.mp4', new Promise(() => {}));
  await begin(page);
  await page.waitForTimeout(700);
  await page.goto('about:blank');
  await expect.poll(() => waitsOf('left')).toMatchObject([{ wait: 0, outcome: 'left' }]);
  await page.context().close();
});

test('a start is given up while the page is hidden, until it plays all the same', async () => {
  const page = await open('plain', 'hidden');
  let release = (_: number) => {};
  held.set('/film.mp4', new Promise((resolve) => (release = resolve)));
  await begin(page);
  await page.waitForTimeout(700);
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => waitsOf('hidden')).toMatchObject([{ wait: 0, outcome: 'left' }]);
  release(200);
  await playedTo(page, 1);
  await pause(page);
  await expect.poll(() => waitsOf('hidden')).toMatchObject([{ wait: 0, outcome: 'played' }]);
  expectAbout(waitsOf('hidden')[0]?.waitMs, (await stoodMsOf(page))[0]);
  await page.context().close();
});

test.each(['play()', 'autoplay'])(
  'a start by %s that the browser refuses is none: the click begins it',
  async (way) => {
    const browser = await startBrowser([], 'user-gesture-required');
    const key = `refused ${way}`;
    const page = await (await browser.newContext(personAt(browser))).newPage();
    // The page does it alone: what a test evaluates counts as a gesture of its user.
    await page.goto(`${streams.url}${pathOf('plain')}?key=${key}&alone=${way}`);
    await page.waitForTimeout(1_000);
    if (way === 'play()') expect(await page.title()).toBe('NotAllowedError');
    expect(await page.evaluate(() => document.querySelector('video')?.readyState)).toBe(4);
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true);
    await page.mouse.click(900, 700);
    await playedTo(page, 1);
    await pause(page);
    await expect.poll(() => waitsOf(key)).toMatchObject([{ cause: 'start', outcome: 'played' }]);
    expectAbout(waitsOf(key)[0]?.waitMs, (await stoodMsOf(page))[0]);
    await browser.close();
  },
);

test('a film that is missing is a start that failed', async () => {
  const page = await open('plain', 'missing');
  held.set('/film.mp4', 404);
  await begin(page);
  await expect
    .poll(() => waitsOf('missing'))
    .toMatchObject([{ wait: 0, outcome: 'failed', error: 'MEDIA_ERR_SRC_NOT_SUPPORTED' }]);
  await page.context().close();
});

const adapted = (Object.keys(players) as Player[]).filter((player) => player !== 'plain');

for (const player of adapted) {
  const title = `${player} runs dry and is seeked where nothing is: a stall, a seek`;
  test(title, { tags: tagsOf(player) }, async () => {
    const key = `dry ${player}`;
    const page = await open(player, key);
    let release = (_: number) => {};
    // For less than the ten seconds after which players give a request up.
    held.set(segmentAt(player, 4), new Promise((resolve) => (release = resolve)));
    await begin(page);
    await expect
      .poll(() => page.evaluate(() => document.querySelector('video')?.readyState))
      .toBe(2);
    await page.waitForTimeout(1_000);
    release(200);
    await playedTo(page, 8);
    held.set(segmentAt(player, 50), sleep(900, 200));
    await page.evaluate(() => {
      const video = document.querySelector('video') as HTMLVideoElement;
      video.currentTime = 50.5;
    });
    await playedTo(page, 51.5);
    await pause(page);
    await expect
      .poll(() => waitsOf(key).map(({ cause, outcome }) => `${cause} ${outcome}`))
      .toEqual(['start played', 'stall played', 'seek played']);
    const stood = await stoodMsOf(page);
    expect(stood).toHaveLength(3);
    for (const [index, { waitMs }] of waitsOf(key).entries()) expectAbout(waitMs, stood[index]);
    await page.context().close();
  });
}

test.each(adapted)('%s: its adapter tells bits and host of what plays', async (player) => {
  const key = `bits ${player}`;
  const page = await open(player, key);
  await begin(page);
  await playedTo(page, 3);
  await pause(page);
  const told = () => recorder.stretches(key).at(-1);
  await expect.poll(() => (told()?.playMs ?? 0) > 2_000).toBe(true);
  // A small picture and sound of 64 kbit/s.
  const kilobits = (told()?.mediaBits ?? 0) / (told()?.mediaMs ?? 0);
  expect(kilobits).toBeGreaterThan(20);
  expect(kilobits).toBeLessThan(1_000);
  // The element itself shows no more than a `blob:`.
  const mediaHost = new URL(streams.url).hostname;
  expect(told()).toMatchObject({ streamType: 'vod', frames: expect.any(Number), mediaHost });
  await page.context().close();
});

/** What a server gives in place of a file. */
const faults = { missing: 404, broken: Buffer.alloc(20_000) };

for (const { player, file, is, error } of [
  { player: 'hls.js', file: 'manifest', is: 'missing', error: 'manifestLoadError' },
  { player: 'dash.js', file: 'manifest', is: 'missing', error: '25' },
  { player: 'Shaka Player', file: 'manifest', is: 'missing', error: '1001' },
  { player: 'video.js', file: 'manifest', is: 'missing', error: 'MEDIA_ERR_SRC_NOT_SUPPORTED' },
  { player: 'hls.js', file: 'segment', is: 'missing', error: 'fragLoadError' },
  { player: 'dash.js', file: 'segment', is: 'missing', error: '27' },
  { player: 'Shaka Player', file: 'segment', is: 'missing', error: '1001' },
  { player: 'hls.js', file: 'segment', is: 'broken', error: 'fragParsingError' },
  { player: 'video.js', file: 'segment', is: 'broken', error: 'MEDIA_ERR_DECODE' },
  // The element has failed before these two say so.
  { player: 'dash.js', file: 'segment', is: 'broken', error: 'MEDIA_ERR_DECODE' },
  { player: 'Shaka Player', file: 'segment', is: 'broken', error: 'MEDIA_ERR_DECODE' },
] as const) {
  const tags = file === 'manifest' ? [] : tagsOf(player);
  test(`${player}: a ${is} ${file} fails with ${error}`, { tags }, async () => {
    const key = `${player} ${is} ${file}`;
    const page = await open(player, key);
    const isManifest = file === 'manifest';
    let fail = (_: Shape) => {};
    held.set(
      isManifest ? manifestOf(player) : segmentAt(player, 4),
      new Promise((resolve) => (fail = resolve)),
    );
    await begin(page);
    // What fails before the player is ready for it, or before the first frame, is told otherwise.
    await (isManifest ? page.waitForTimeout(300) : playedTo(page, 1));
    fail(faults[is]);
    await expect
      .poll(() => waitsOf(key).find(({ outcome }) => outcome === 'failed'))
      .toMatchObject({ wait: isManifest ? 0 : 1, error });
    await page.context().close();
  });
}
