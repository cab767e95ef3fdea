/**
 * What the tracker measures in browsers of other makers than Chromium's, against the page's own
 * measurement. Chromium has no back-forward cache here: theirs is the real one.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readBrowser } from '../../src/collect/enrich/browser/client-reader.ts';
import { type CollectRecorder, startCollectRecorder } from '../support/collect-recorder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { requirePackages, startFirefox, startWebKit, type Tab } from './debian-browsers.ts';
import { type Site, startSite } from './site.ts';
import { toleranceMs } from './stage.ts';

declare global {
  var isRestored: boolean;
}

describe.each([
  { name: 'Firefox', start: startFirefox, counted: 'Firefox' },
  // Its User-Agent is Safari's, which no Linux has.
  { name: 'WebKitGTK', start: startWebKit, counted: '' },
])('$name', ({ start, counted }) => {
  let tab: Tab;
  let recorder: CollectRecorder;
  let site: Site;
  beforeAll(async () => {
    tab = await start();
    const answer = await tab.run(() =>
      document.createElement('video').canPlayType('video/mp4; codecs="avc1.4D401E"'),
    );
    requirePackages(answer === 'probably', 'H.264 decoder');
  });
  afterAll(() => tab?.close());
  beforeEach(async () => {
    recorder = await startCollectRecorder();
    site = await startSite(recorder.url);
    await tab.open(`${site.url}/module.html`);
  });
  afterEach(async () => {
    await tab.open('about:blank');
    await site.close();
    await recorder.close();
  });

  /** Plays on, from `from` seconds where given, until the page has measured so much. */
  async function playUntil(measuredMs: number, from?: number): Promise<void> {
    await tab.run((seconds) => {
      const video = document.querySelector('video') as HTMLVideoElement;
      if (seconds !== null) video.currentTime = seconds;
      // WebKitGTK may leave it unanswered where the media plays and seeks.
      return video.paused && video.play();
    }, from ?? null);
    await waitUntil(`${measuredMs} ms played`, () =>
      tab.run((wantedMs) => window.measured() >= wantedMs, measuredMs),
    );
  }

  /** Gives what the page has measured. */
  const pause = () =>
    tab.run(() => {
      document.querySelector('video')?.pause();
      return window.measured();
    });

  /** Leaves the page while it plays; gives what it had measured. */
  async function leave(): Promise<number> {
    await tab.run(() => {
      // Firefox may lose what is written to sessionStorage now.
      const note = () => localStorage.setItem('measured', String(window.measured()));
      window.addEventListener('pagehide', note);
      window.addEventListener('pageshow', ({ persisted }) => {
        window.isRestored = persisted;
      });
    });
    await tab.open(`${site.url}/elsewhere.html`);
    return tab.run(() => Number(localStorage.getItem('measured')));
  }

  async function expectOneView(measuredMs: number): Promise<void> {
    await expect.poll(() => Math.abs(recorder.playMs() - measuredMs)).toBeLessThan(toleranceMs);
    expect(recorder.views()).toBe(1);
  }

  test('a film played, paused, resumed, sought and played to its end is one view', async () => {
    await playUntil(1_500);
    await pause();
    await playUntil(3_000);
    await playUntil(4_500, 5);
    await playUntil(5_500, 10);
    await waitUntil('its end', () =>
      tab.run(() => document.querySelector('video')?.ended === true),
    );
    await expectOneView(await tab.run(() => window.measured()));
  });

  test('a page left while it plays has reported everything, under the name of its browser', async () => {
    await playUntil(1_800);
    await expectOneView(await leave());
    const names = recorder.requests.map(({ userAgent }) => readBrowser(userAgent, 'Linux').name);
    expect(new Set(names)).toEqual(new Set([counted]));
  });

  test('a page back from the back-forward cache continues its view, and reports it', async () => {
    await playUntil(1_500);
    const leftMs = await leave();
    await expectOneView(leftMs);
    await tab.back();
    await waitUntil('the page is restored', () => tab.run(() => window.isRestored));
    // WebKitGTK loads the media anew; Firefox sometimes lets it stand still until it seeks.
    await waitUntil('the media is there', () =>
      tab.run(
        () => document.querySelector('video')?.readyState === HTMLMediaElement.HAVE_ENOUGH_DATA,
      ),
    );
    await playUntil(leftMs + 1_500, 5);
    await expectOneView(await pause());
  });

  test('what the server did not acknowledge is reported by the next page', async () => {
    await playUntil(300);
    recorder.behave({ kind: 'drop' });
    await playUntil(1_500);
    const leftMs = await leave();
    recorder.behave({ kind: 'accept' });
    await tab.open(`${site.url}/module.html`);
    await expectOneView(leftMs);
  });

  test('autoplay that the browser blocks begins nothing', async () => {
    const blocked = await tab.run(() => {
      const video = document.querySelector('video') as HTMLVideoElement;
      video.muted = false;
      return video.play().catch(({ name }) => name);
    });
    expect(blocked).toBe('NotAllowedError');
    await leave();
    await expect.poll(() => recorder.requests.length).toBeGreaterThan(0);
    expect(recorder.stretches()).toEqual([]);
  });
});
