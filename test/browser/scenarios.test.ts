/**
 * What pages do with films, advertisements and loops: plays and seconds as the service counts them,
 * beside what really played. docs/players.md has the table; SCENARIOS=write writes it anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAt } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { addFreshVideo, type Counted, expectNothingMore, expectPlays } from './counted.ts';
import { page as pageWith } from './player-pages.ts';
import { type Site, startSite } from './site.ts';
import { type Streams, startStreams } from './streams.ts';
import { closePages, useBrowser } from './use-dashboard.ts';

/** The videos' keys. */
interface Keys {
  readonly film: string;
  readonly other: string;
}

interface PageVideo extends HTMLVideoElement {
  measured: { (): number; began(): number };
}

declare global {
  var keys: Keys;
  var load: (video: PageVideo, src: string) => Promise<void>;
  var playFor: (video: PageVideo, ms: number) => Promise<number>;
}

interface Scenario {
  readonly name: string;
  /** Of the film and, where the page has it, of the other. */
  readonly plays: readonly [film: number, other?: number];
  /** In the page; gives how long the film really played, and the other one. */
  run(): Promise<readonly number[]>;
  /** Of the page that shows hls.js. */
  readonly isStream?: true;
  readonly lengthMs?: number;
}

const filmMs = 12_000;

const scenarios: readonly Scenario[] = [
  {
    name: 'Pre-roll, film, mid-roll, film in one element, with `hold()`',
    plays: [1],
    async run() {
      const { createVideo, keys, load, options, playFor, track } = window;
      const video = createVideo();
      document.body.append(video);
      const tracking = track(video, { ...options, videoKey: keys.film });
      let playedMs = 0;
      for (const ms of [1_500, 2_000]) {
        tracking.hold();
        await load(video, '/ad.mp4');
        await playFor(video, 1_500);
        await load(video, '/clip.mp4');
        tracking.resume();
        playedMs += await playFor(video, ms);
      }
      return [playedMs];
    },
  },
  {
    name: 'A film that plays on, with `data-hold` for two seconds',
    plays: [1],
    async run() {
      const { addScript, createVideo, keys } = window;
      const video = createVideo(keys.film);
      document.body.append(video);
      await addScript({});
      const playedFor = async (ms: number) => {
        const untilMs = video.measured() + ms;
        while (video.measured() < untilMs) await new Promise((next) => setTimeout(next, 20));
        return video.measured();
      };
      await video.play();
      const heldMs = await playedFor(1_500);
      video.dataset.hold = '';
      const resumedMs = await playedFor(2_000);
      delete video.dataset.hold;
      const endMs = await playedFor(1_500);
      video.pause();
      return [heldMs + endMs - resumedMs];
    },
  },
  {
    name: 'Advertisement, film, advertisement, film, without a word: two plays',
    plays: [2],
    async run() {
      const { addScript, createVideo, keys, load, playFor } = window;
      const video = createVideo(keys.film);
      document.body.append(video);
      await addScript({});
      let playedMs = 0;
      for (const src of ['/ad.mp4', '/clip.mp4', '/ad.mp4', '/clip.mp4']) {
        await load(video, src);
        playedMs += await playFor(video, 1_500);
      }
      return [playedMs];
    },
  },
  {
    name: 'An advertisement in an element of its own, in a container with `data-hold`',
    plays: [1],
    async run() {
      const { addScript, createVideo, keys, load, playFor } = window;
      const [video, ad] = [createVideo(), createVideo()];
      const container = document.createElement('div');
      container.dataset.hold = '';
      container.append(ad);
      document.body.append(video, container);
      await addScript({ videoKey: keys.film });
      await load(ad, '/ad.mp4');
      await playFor(ad, 1_500);
      return [await playFor(video, 2_000)];
    },
  },
  {
    name: 'A film, another with its own key, and the film again',
    plays: [1, 1],
    async run() {
      const { addScript, createVideo, keys, load, playFor } = window;
      const video = createVideo(keys.film);
      document.body.append(video);
      await addScript({});
      let playedMs = await playFor(video, 1_500);
      video.pause();
      video.dataset.videoKey = keys.other;
      await load(video, '/short.mp4');
      const otherMs = await playFor(video, 1_500);
      video.dataset.videoKey = keys.film;
      await load(video, '/clip.mp4?signature=2');
      playedMs += await playFor(video, 1_500);
      return [playedMs, otherMs];
    },
  },
  {
    name: 'The same with `track()`',
    plays: [1, 1],
    async run() {
      const { createVideo, keys, load, options, playFor, track } = window;
      const video = createVideo();
      document.body.append(video);
      const show = async (videoKey: string, src: string) => {
        video.pause();
        track(video, { ...options, videoKey });
        await load(video, src);
        return playFor(video, 1_500);
      };
      let playedMs = await show(keys.film, '/clip.mp4');
      const otherMs = await show(keys.other, '/short.mp4');
      playedMs += await show(keys.film, '/clip.mp4');
      return [playedMs, otherMs];
    },
  },
  {
    name: 'A live stream of hls.js, loaded anew twice',
    plays: [1],
    isStream: true,
    async run() {
      const video = document.querySelector('video') as HTMLVideoElement;
      const played = async (ms: number) => {
        await video.play();
        while (window.measured() < ms) await new Promise((next) => setTimeout(next, 20));
      };
      await played(5_000);
      for (const ms of [9_000, 13_000]) {
        window.hls.loadSource('/live.m3u8');
        await new Promise((there) => video.addEventListener('canplay', there, { once: true }));
        await played(ms);
      }
      video.pause();
      return [window.measured()];
    },
  },
  {
    name: 'A clip of one second in a loop',
    plays: [1],
    lengthMs: 1_000,
    async run() {
      const { addScript, createVideo, keys, load, playFor } = window;
      const video = createVideo(keys.film);
      document.body.append(video);
      await addScript({});
      await load(video, '/second.mp4');
      await playFor(video, 20_000);
      // By the clock, since what plays without a seam stands still for no time that is seen.
      return [Date.now() - video.measured.began()];
    },
  },
  {
    name: 'A film of 12 seconds in a loop, from its middle on, at double speed',
    plays: [1],
    lengthMs: 12_000,
    async run() {
      const { addScript, createVideo, keys, load, playFor } = window;
      const video = createVideo(keys.film);
      document.body.append(video);
      await addScript({});
      await load(video, '/clip.mp4');
      video.currentTime = 6;
      video.playbackRate = 2;
      return [await playFor(video, 12_000)];
    },
  },
  {
    name: 'The module and the script tag on one page',
    plays: [1],
    async run() {
      const { addScript, createVideo, keys, options, playFor, track } = window;
      const video = createVideo();
      document.body.append(video);
      await addScript({ videoKey: keys.film, url: `${options.url}/` });
      track(video, { ...options, videoKey: keys.film });
      return [await playFor(video, 1_500)];
    },
  },
  {
    name: 'Two script tags, with `http://host` and `http://host/`',
    plays: [1],
    async run() {
      const { addScript, createVideo, keys, options, playFor } = window;
      const video = createVideo();
      document.body.append(video);
      for (const end of ['', '/']) await addScript({ videoKey: keys.film, url: options.url + end });
      return [await playFor(video, 1_500)];
    },
  },
  {
    name: 'A page whose arrays have a `toJSON`, as of Prototype.js',
    plays: [1],
    async run() {
      const { addScript, createVideo, keys, playFor } = window;
      Object.assign(Array.prototype, { toJSON: () => 'spoiled' });
      const video = createVideo();
      document.body.append(video);
      await addScript({ videoKey: keys.film });
      const playedMs = await playFor(video, 1_500);
      // What reads the page's answer is spoiled, too.
      Reflect.deleteProperty(Array.prototype, 'toJSON');
      return [playedMs];
    },
  },
];

let service: TestService;
let site: Site;
let streams: Streams;
const browser = useBrowser();
beforeAll(async () => {
  // What is set apart for its length is not counted.
  service = await startTestService({ environment: { USUAL_LENGTHS: '10' } });
  site = await startSite(service.url);
  const script = `
    import { track } from '${service.url}/tracker.mjs';
    window.hls = new Hls();
    hls.attachMedia(video);
    window.begin = async (videoKey) => {
      track(video, { url: '${service.url}', videoKey });
      hls.loadSource('/live.m3u8');
      await new Promise((there) => video.addEventListener('canplay', there, { once: true }));
    };`;
  streams = await startStreams({ '/live.html': pageWith('/hls.js', script) });
});
afterAll(async () => {
  await closePages(browser());
  await expectNothingMore(service);
  await Promise.all([site?.close(), streams?.close()]);
  await service?.stop();
});

declare global {
  var begin: (videoKey: string) => Promise<void>;
}

const found = new Map<string, string>();

// At once: each of them mostly plays.
test.concurrent.for(scenarios)('$name', async (scenario, { expect }) => {
  const { name, plays, run, isStream, lengthMs = filmMs } = scenario;
  const film = await addFreshVideo(service, lengthMs);
  const other = await addFreshVideo(service, filmMs);
  const keys: Keys = { film: film.videoKey, other: other.videoKey };
  const context = await browser().newContext(personAt(browser()));
  const page = await context.newPage();
  await page.goto(isStream ? `${streams.url}/live.html` : `${site.url}/found.html`);
  await page.waitForFunction((name) => name in window, isStream ? 'begin' : 'addScript');
  await page.evaluate(async (given) => {
    window.keys = given;
    await window.begin?.(given.film);
  }, keys);
  const played = await page.evaluate(run);
  expect(played).toHaveLength(plays.length);
  let [allPlays, playedMs, reportedMs] = [0, 0, 0];
  for (const [index, video] of [film, other].slice(0, plays.length).entries()) {
    const wanted: Counted = { plays: plays[index] ?? 0, playMs: played[index] ?? 0 };
    reportedMs += (await expectPlays(service, video, wanted)).playMs;
    allPlays += wanted.plays;
    playedMs += wanted.playMs;
  }
  await context.close();
  found.set(name, `| ${name} | ${allPlays} | ${seconds(playedMs)} | ${seconds(reportedMs)} |`);
});

const seconds = (ms: number) => (ms / 1_000).toFixed(1);

test('docs/players.md has the table of all of them', () => {
  const file = join(import.meta.dirname, '../../docs/players.md');
  const head =
    '| what the page does | plays | seconds played | seconds reported |\n|---|---|---|---|\n';
  const text = readFileSync(file, 'utf8');
  const [before = '', after = ''] = text.split(head);
  const table = after.slice(0, after.indexOf('\n\n'));
  if (process.env.SCENARIOS === 'write') {
    const rows = scenarios.map(({ name }) => found.get(name)).join('\n');
    writeFileSync(file, before + head + rows + after.slice(table.length));
    return;
  }
  const documented = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  expect(documented.map(([, name, plays]) => [name, plays])).toEqual(
    scenarios.map(({ name, plays }) => [name, String(plays[0] + (plays[1] ?? 0))]),
  );
  for (const [, name, , played, reported] of documented) {
    expect(Math.abs(Number(played) - Number(reported)), name).toBeLessThanOrEqual(0.5);
  }
});
