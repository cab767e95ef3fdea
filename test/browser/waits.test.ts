/**
 * Waits of real players on media that comes late, stalls or fails, as the tracker reports them. The
 * page looks at the clock of the media by itself: the two are within 0.15 s.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Page, personAt } from '../support/browser.ts';
import {
  type CollectRecorder,
  type RecordedWait,
  startCollectRecorder,
} from '../support/collect-recorder.ts';
import { page as pageWith } from './player-pages.ts';
import { type Streams, startStreams } from './streams.ts';
import { useBrowser } from './use-dashboard.ts';

const toleranceMs = 150;

/** The player's library, how it loads the film, and its adapter for the tracker. */
const players = {
  plain: ['/measure.js', `video.src = '/film.mp4';`],
  'hls.js': [
    '/hls.js',
    `const hls = new Hls(); observe(hls); hls.attachMedia(video); hls.loadSource('/film.m3u8');`,
  ],
  'dash.js': [
    '/dash.js',
    `const player = dashjs.MediaPlayer().create();
    player.initialize(video, location.origin + '/film.mpd', false); observe(player);`,
  ],
  'Shaka Player': [
    '/shaka.js',
    `const player = new shaka.Player(); await player.attach(video);
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
  /** When the media stood still, once asked to play: at first until the first frame. */
  var stood: Moment[];
}

/** How the server treats a file until it is told otherwise. */
const held = new Map<string, number | Promise<number>>();
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
          if (lastMs !== undefined && now - lastMs > 200) {
            window.stood.push({ fromMs: lastMs, untilMs: now });
          }
          last = currentTime;
          lastMs = now;
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      window.beginFilm = async () => {
        lastMs = performance.now();
        ${load}
        await video.play().catch(() => {});
      };`;
    return [pathOf(name as Player), pageWith(library, script)];
  });
  streams = await startStreams(
    Object.fromEntries(await Promise.all(pages)),
    (pathname) => held.get(pathname) ?? 200,
  );
});
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

async function open(player: Player, key: string): Promise<Page> {
  const context = await findBrowser().newContext(personAt(findBrowser()));
  const page = await context.newPage();
  await page.goto(`${streams.url}${pathOf(player)}?key=${key}`);
  await page.waitForFunction(() => 'beginFilm' in window);
  return page;
}

const begin = (page: Page) => page.evaluate(() => void window.beginFilm());
const waitsOf = (key: string): RecordedWait[] =>
  recorder.waits().filter(({ videoKey }) => videoKey === key);

async function playedTo(page: Page, seconds: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => (document.querySelector('video')?.currentTime ?? 0) >= wanted,
    seconds,
    { polling: 20 },
  );
}

test.each(Object.keys(players) as Player[])(
  '%s: a slow start is told as long as it lasted',
  async (player) => {
    const page = await open(player, `slow ${player}`);
    const first = { plain: '/film.mp4', 'hls.js': '/film.m3u8', 'video.js': '/film.m3u8' };
    const file = first[player as keyof typeof first] ?? '/film.mpd';
    held.set(file, sleep(1_200, 200));
    await begin(page);
    await playedTo(page, 1);
    held.delete(file);
    await page.evaluate(() => document.querySelector('video')?.pause());
    await expect.poll(() => waitsOf(`slow ${player}`)[0]?.outcome).toBe('played');
    const [start] = waitsOf(`slow ${player}`);
    const [stood] = await page.evaluate(() => window.stood);
    expect(start).toMatchObject({ wait: 0, cause: 'start' });
    const stoodMs = (stood?.untilMs ?? 0) - (stood?.fromMs ?? 0);
    expect(Math.abs((start?.waitMs ?? 0) - stoodMs)).toBeLessThan(toleranceMs);
    await page.context().close();
  },
);

test('a start that never comes is given up when the page is left', async () => {
  const page = await open('plain', 'left');
  held.set('/film.mp4', new Promise(() => {}));
  await begin(page);
  await page.waitForTimeout(700);
  await page.goto('about:blank');
  held.delete('/film.mp4');
  await expect.poll(() => waitsOf('left')).toMatchObject([{ wait: 0, outcome: 'left' }]);
  await page.context().close();
});

test('a film that is missing is a start that failed', async () => {
  const page = await open('plain', 'missing');
  held.set('/film.mp4', 404);
  await begin(page);
  await expect
    .poll(() => waitsOf('missing'))
    .toMatchObject([{ wait: 0, outcome: 'failed', error: 'MEDIA_ERR_SRC_NOT_SUPPORTED' }]);
  held.delete('/film.mp4');
  await page.context().close();
});

test('hls.js runs dry and is seeked where nothing is: one stall, one seek', async () => {
  const page = await open('hls.js', 'dry');
  let release = (_: number) => {};
  held.set('/film3.ts', new Promise((resolve) => (release = resolve)));
  await begin(page);
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.readyState)).toBe(2);
  await page.waitForTimeout(1_000);
  release(200);
  await playedTo(page, 6.5);
  held.set('/film25.ts', sleep(900, 200));
  await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement;
    video.currentTime = 50;
  });
  await playedTo(page, 51);
  await page.evaluate(() => document.querySelector('video')?.pause());
  await expect
    .poll(() => waitsOf('dry').map(({ cause }) => cause))
    .toEqual(['start', 'stall', 'seek']);
  const [, stall] = waitsOf('dry');
  const stood = await page.evaluate(() => window.stood);
  const longest = Math.max(...stood.slice(1).map(({ fromMs, untilMs }) => untilMs - fromMs));
  expect(
    stood
      .slice(1)
      .some(
        ({ fromMs, untilMs }) => Math.abs((stall?.waitMs ?? 0) - untilMs + fromMs) < toleranceMs,
      ),
  ).toBe(true);
  expect(longest).toBeGreaterThan(900);
  await page.context().close();
});

const adapted = (Object.keys(players) as Player[]).filter((player) => player !== 'plain');

test.each(adapted)('%s: its adapter tells bits and host of what plays', async (player) => {
  const key = `bits ${player}`;
  const page = await open(player, key);
  await begin(page);
  await playedTo(page, 3);
  await page.evaluate(() => document.querySelector('video')?.pause());
  const told = () => recorder.stretches(key).at(-1);
  await expect.poll(() => (told()?.playMs ?? 0) > 2_000).toBe(true);
  // A small picture and sound of 64 kbit/s.
  const kilobits = (told()?.mediaBits ?? 0) / (told()?.mediaMs ?? 0);
  expect(kilobits).toBeGreaterThan(20);
  expect(kilobits).toBeLessThan(1_000);
  expect(told()).toMatchObject({ streamType: 'vod', frames: expect.any(Number) });
  await page.context().close();
});

test.each([
  { player: 'hls.js', file: '/film.m3u8', error: 'manifestLoadError' },
  { player: 'dash.js', file: '/film.mpd', error: '25' },
  { player: 'Shaka Player', file: '/film.mpd', error: '1001' },
] as const)('$player: its own fatal error is told: $error', async ({ player, file, error }) => {
  const key = `error ${player}`;
  const page = await open(player, key);
  held.set(file, 404);
  await begin(page);
  await expect
    .poll(() => waitsOf(key).find(({ outcome }) => outcome === 'failed')?.error)
    .toBe(error);
  held.delete(file);
  await page.context().close();
});
