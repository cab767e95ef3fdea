/** Which parts of a film were watched, and by whom: what beacons say is what the page measured. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, type Page, personAt, startBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { addFreshVideo, countedOf } from './counted.ts';
import {
  type RecordingProxy,
  type ReportedStretch,
  startRecordingProxy,
} from './recording-proxy.ts';
import { type Site, startSite } from './site.ts';
import { keptIn } from './stage.ts';

/** A part of the film as it was played. */
interface Part {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly rate: number;
}

interface Change {
  readonly currentTime?: number;
  readonly playbackRate?: number;
}

/** What is changed, and how much of the media is played then. */
type Step = readonly [change: Change, partMs: number];

declare global {
  var isTracked: boolean;
  var watched: { parts(): Part[]; watch(...step: Step): Promise<void> };
}

let service: TestService;
let proxy: RecordingProxy;
let site: Site;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestService(), startBrowser()]);
  proxy = await startRecordingProxy(service.url);
  site = await startSite(proxy.url);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await proxy?.close();
  await service?.stop();
});

/** Between the two measurements of where a part begins, and of how long it is. */
const toleranceMs = 150;

const tracked = (page: Page) => page.waitForFunction(() => window.isTracked);
/** In the page: on a busy machine the film would run far on between two steps of the test. */
function watch(page: Page, ...steps: Step[]): Promise<void> {
  return page.evaluate(async (all) => {
    for (const step of all) await window.watched.watch(...step);
  }, steps);
}

function pausedParts(page: Page): Promise<Part[]> {
  return page.evaluate(() => {
    document.querySelector('video')?.pause();
    return window.watched.parts();
  });
}

/** From another page, as a viewer comes. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${site.url}/elsewhere.html?from=secret`);
  await page.evaluate((url) => location.assign(url), path);
  await tracked(page);
}

test('seeks back, double speed, two tabs and a reload: beacons say what was played', async () => {
  const video = await addFreshVideo(service);
  const context = await browser.newContext(personAt(browser));
  const [first, second] = [await context.newPage(), await context.newPage()];
  await open(first, `/watched.html?key=${video.videoKey}&tab=1#secret`);
  await open(second, `/watched.html?key=${video.videoKey}&tab=2#secret`);

  await Promise.all([
    watch(first, [{}, 1_500], [{ currentTime: 0.5 }, 1_500], [{ playbackRate: 2 }, 4_000]),
    watch(second, [{ currentTime: 3 }, 2_000], [{ currentTime: 2 }, 1_000]),
  ]);
  const ofSecond = await pausedParts(second);
  await watch(first, [{ playbackRate: 1 }, 1_000]);
  await first.reload();
  const left = await first.evaluate((): Part[] => JSON.parse(sessionStorage.getItem('left') ?? ''));
  await tracked(first);
  await watch(first, [{ currentTime: 6 }, 1_000], [{ currentTime: 5 }, 1_000]);

  const measured = [left, await pausedParts(first), ofSecond];
  for (const page of [first, second]) await expect.poll(() => keptIn(page)).toBe(0);
  expect(measured.map((parts) => parts.map(({ rate }) => rate).join())).toEqual([
    ...['1,1,2,1', '1,1', '1,1'],
  ]);
  expect([...views(proxy.stretches()).values()].map(partsOf)).toEqual(
    measured.map((parts) => parts.map(near)),
  );
  expect(proxy.rejected).toEqual([]);
  await expect.poll(() => countedOf(service, video)).toMatchObject({ plays: 3 });
  await expectSaid();
});

/** Who watched and where: the same in all beacons of a view, and nothing of a query. */
async function expectSaid(): Promise<void> {
  const said = [...views(proxy.beacons).values()].map((beacons) =>
    beacons.map(({ viewer, player, labels, page, referrer }) =>
      JSON.stringify({ viewer, player, labels, page, referrer }),
    ),
  );
  const about = {
    ...{ viewer: 'pupil-7', player: 'fixture/1.0' },
    ...{ page: `${site.url}/watched.html`, referrer: site.url },
  };
  expect(said.map((all) => [...new Set(all)].map((text) => JSON.parse(text)))).toEqual(
    ['1', '1', '2'].map((tab) => [{ ...about, labels: { tab } }]),
  );
  expect(proxy.beacons.filter((beacon) => /secret|course/.test(JSON.stringify(beacon)))).toEqual(
    [],
  );
}

/** By view: those of the first tab, then of the second, in the order in which they began. */
function views(beacons: readonly ReportedStretch[]): Map<string, ReportedStretch[]> {
  const inOrder = beacons.toSorted(
    (a, b) => tabOf(a) - tabOf(b) || Date.parse(a.at) - Date.parse(b.at),
  );
  return Map.groupBy(inOrder, ({ view }) => view);
}

const tabOf = ({ labels }: ReportedStretch) => Number(labels?.tab);

/** What the stretches of a view say was played; a part in which the browser stalled has two. */
function partsOf(stretches: readonly ReportedStretch[]): Part[] {
  const parts: Part[] = [];
  for (const { position, playMs, mediaMs } of stretches) {
    const part = {
      fromMs: position,
      untilMs: position + mediaMs,
      rate: roundedRate(mediaMs / playMs),
    };
    const last = parts.at(-1);
    const goesOn = last?.rate === part.rate && Math.abs(last.untilMs - position) < toleranceMs;
    parts.splice(goesOn ? -1 : parts.length, 1, goesOn ? { ...last, untilMs: part.untilMs } : part);
  }
  return parts;
}

/** Of milliseconds, each rounded down. */
const roundedRate = (rate: number) => Math.round(rate * 10) / 10;

function near({ fromMs, untilMs, rate }: Part): Part {
  const within = (ms: number) =>
    expect.toSatisfy((said: number) => Math.abs(said - ms) < toleranceMs, `${ms} ms`);
  return { fromMs: within(fromMs), untilMs: within(untilMs), rate };
}
