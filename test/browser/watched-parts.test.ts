/** Which parts of a film were watched, by whom and by how many at once: what the page measured. */
import { afterAll, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { type Page, personAt } from '../support/browser.ts';
import { startLocalServer } from '../support/local-server.ts';
import type { TestService } from '../support/service.ts';
import { countedOf } from './counted.ts';
import { type Site, startSite } from './site.ts';
import { keptIn } from './stage.ts';
import { useDashboard } from './use-dashboard.ts';

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
const stage = useDashboard(async (prepared) => {
  ({ service } = prepared);
  proxy = await startRecordingProxy(service.url);
  site = await startSite(proxy.url);
});
afterAll(async () => {
  await site?.close();
  await proxy?.close();
});

/** A viewer of a new video, in an account of its own, and what asks for that account. */
async function addViewer() {
  const account = await service.addAccount();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  const { browser } = stage();
  const context = await browser.newContext(personAt(browser));
  const client = new Playmeter({ url: service.url, key: account.key });
  return { account, accessKey, videoKey, context, client };
}

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

function day(offset: number): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}
const range = () => ({ sdate: day(-1), edate: day(1) });

test('seeks back, double speed, two tabs and a reload: beacons and retention say what was played', {
  tags: 'long',
}, async () => {
  const viewer = await addViewer();
  const { account, accessKey, videoKey, context } = viewer;
  const [first, second] = [await context.newPage(), await context.newPage()];
  await open(first, `/watched.html?key=${videoKey}&tab=1#secret`);
  await open(second, `/watched.html?key=${videoKey}&tab=2#secret`);

  const lengthMs = await first.evaluate(() =>
    Math.round((document.querySelector('video')?.duration ?? 0) * 1_000),
  );
  const { videos } = service.catalog;
  accepted(await videos.change(account.accountId, accessKey, { durationMs: lengthMs }));
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
  await expect.poll(() => countedOf(service, { account, videoKey })).toMatchObject({ plays: 3 });
  await expectSaid();
  await expectRetention(viewer, lengthMs, measured);
});

async function expectRetention(
  { client, accessKey }: Awaited<ReturnType<typeof addViewer>>,
  lengthMs: number,
  views: readonly Part[][],
): Promise<void> {
  /** Views whose ranges, made longer by so much at either end, reach into the part. */
  const audienceOf = (fromMs: number, toMs: number, byMs: number) =>
    views.filter((ranges) =>
      ranges.some((one) => one.fromMs - byMs < toMs && one.untilMs + byMs > fromMs),
    ).length;
  const parts = Math.round(lengthMs / 500);
  const playedMs = views.flat().reduce((sum, one) => sum + one.untilMs - one.fromMs, 0);
  await service.facts.rollUp();
  const retention = await client.statistics.retention({ ...range(), accessKey, parts });
  expect(retention).toMatchObject({ lengthMs, views: 3, positionedViews: 3 });
  for (const { fromMs, toMs, audience } of retention.list) {
    const [least, most] = [-toleranceMs, toleranceMs].map((ms) => audienceOf(fromMs, toMs, ms));
    expect([fromMs, audience]).toEqual([
      fromMs,
      expect.toSatisfy((number: number) => {
        return number >= (least ?? 0) && number <= (most ?? 0);
      }, `${least} to ${most}`),
    ]);
  }
  const watchedMs = retention.list.reduce((sum, one) => {
    return sum + one.watched * (one.toMs - one.fromMs) * retention.positionedViews;
  }, 0);
  expect(Math.abs(watchedMs - playedMs)).toBeLessThan(views.flat().length * toleranceMs);
}

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

/** Stands between pages and the real service, and keeps what beacons say. */
interface ReportedStretch {
  readonly view: string;
  /** Undefined: a wait. */
  readonly stretch?: number;
  readonly at: string;
  readonly playMs: number;
  readonly position: number;
  readonly mediaMs: number;
  readonly viewer?: string;
  readonly player?: string;
  readonly page?: string;
  readonly referrer?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface RecordingProxy {
  readonly url: string;
  /** All beacons as they came. */
  readonly beacons: readonly ReportedStretch[];
  /** What the service refused. */
  readonly rejected: readonly unknown[];
  /** The last beacon of every stretch. */
  stretches(): ReportedStretch[];
  close(): Promise<void>;
}

async function startRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const beacons: ReportedStretch[] = [];
  const rejected: unknown[] = [];
  const stretches = new Map<string, ReportedStretch>();

  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { 'user-agent': userAgent = '', 'content-type': contentType = '' } = request.headers;
    const answer = await fetch(serviceUrl + request.url, {
      method: request.method ?? 'GET',
      // A page that is left sends as what the browser is, which counts as a bot.
      headers: { 'user-agent': userAgent.replace('Headless', ''), 'content-type': contentType },
      body,
    });
    const text = await answer.text();
    rejected.push(...JSON.parse(text).rejected);
    for (const beacon of JSON.parse(body).beacons as ReportedStretch[]) {
      beacons.push(beacon);
      if (beacon.stretch === undefined) continue;
      const key = `${beacon.view} ${beacon.stretch}`;
      const held = stretches.get(key);
      if (!held || held.playMs < beacon.playMs) stretches.set(key, beacon);
    }
    response.writeHead(answer.status, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Server-Time',
      'server-time': answer.headers.get('server-time') ?? '',
    });
    response.end(text);
  });

  return {
    url: server.url,
    beacons,
    rejected,
    stretches: () => [...stretches.values()],
    close: server.close,
  };
}
