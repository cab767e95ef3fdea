/**
 * Who watches while a service is attacked: a real browser with the tracker, and viewers that report
 * ten times a second in all. Each has to be counted exactly, and answered soon.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/record/percentile.ts';
import { startSite } from '../browser/site.ts';
import { type Page, personAt } from '../support/browser.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Stage, wrongIn } from './attack.ts';
import { type Stranger, stranger } from './stranger.ts';
import type { Target } from './target.ts';
import { exactSecondsOf, nothing, type Playback, playbackOf, type Victim } from './victim.ts';

const viewersAtFirst = 10;
const joinEveryMs = 1_000;
const beatEveryMs = 1_000;
const leaveWithinMs = 60_000;
const slowestP99Ms = 250;
/** Between what is counted and what the page measured. */
export const toleranceSeconds = 1;

const viewersAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
  'Version/18.0 Safari/605.1.15';
export const viewersSystem = 'macOS';
export const browsersSystem = 'Linux';

export interface Bystanders {
  /** They leave, and are compared with what was counted of them. */
  leave(): Promise<Seen>;
}

interface Seen {
  readonly measured: string;
  /** The most that the service and its engine took meanwhile. */
  readonly mostMb: number;
  /**
   * Whoever was miscounted or refused. No attack excuses a refusal: attackers have addresses, and
   * so limits, of their own, and playback is accepted while the engine is away.
   */
  readonly wrong: readonly string[];
  /** Where viewers were answered too late. */
  readonly slow: readonly string[];
}

interface SeatOptions {
  /** Whether viewers come during the attack, on connections of their own; default true. */
  readonly newcomers?: boolean;
}

/** They watch the victim's video; resolves when all are counted for the first time. */
export async function seatBystanders(
  stage: Stage,
  target: Target,
  victim: Victim,
  { newcomers = true }: SeatOptions = {},
): Promise<Bystanders> {
  const inBrowser = await watchInBrowser(stage, target, victim);
  const crowd = await seatCrowd(target, victim, newcomers);
  const memory = watchMemory(target);
  return {
    async leave() {
      const mostMb = memory.stop();
      const [browserSeconds, viewers] = await Promise.all([inBrowser.leave(), crowd.leave()]);
      const counted = await playbackOf(target, victim).catch(() => new Map<string, Playback>());
      const ofBrowser = counted.get(browsersSystem) ?? nothing;
      const ofViewers = counted.get(viewersSystem) ?? nothing;
      const exactSeconds = await exactSecondsOf(target, victim, browsersSystem).catch(
        () => undefined,
      );
      const seconds = exactSeconds ?? ofBrowser.seconds;
      const isBrowserRight =
        ofBrowser.plays === 1 && Math.abs(seconds - browserSeconds) <= toleranceSeconds;
      const areViewersRight =
        ofViewers.plays === viewers.plays && ofViewers.seconds === viewers.seconds;
      const { p50Ms, p99Ms, slowestMs, refused } = crowd.answers();
      const refusedText = Object.keys(refused).length > 0 ? JSON.stringify(refused) : 'none';
      return {
        mostMb,
        measured:
          `beside it p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, slowest ${ms(slowestMs)}, refused ` +
          `${refusedText}; ${Math.round(memory.beforeMb)} to ${Math.round(mostMb)} MB`,
        wrong: [
          ...(isBrowserRight
            ? []
            : [`the browser played ${browserSeconds} s, counted ${JSON.stringify(ofBrowser)}`]),
          ...(areViewersRight
            ? []
            : [`viewers ${JSON.stringify(viewers)}, counted ${JSON.stringify(ofViewers)}`]),
          ...wrongIn({ [`viewers were refused: ${refusedText}`]: refusedText !== 'none' }),
        ],
        slow: wrongIn({ [`p99 ${ms(p99Ms)}`]: !(p99Ms <= slowestP99Ms) }),
      };
    },
  };
}

function ms(duration: number): string {
  return `${Math.round(duration).toLocaleString('en-US')} ms`;
}

/** A browser with the tracker, on a site of its own. */
export async function watchInBrowser(stage: Stage, target: Target, { videoKey }: Victim) {
  const browser = await stage.browser();
  const site = await startSite(target.url);
  const context = await browser.newContext(personAt(browser));
  const page = await context.newPage();
  await page.goto(`${site.url}/module.html?key=${videoKey}`);
  await page.evaluate(playOverAndOver);
  await waitUntil('the clip to play', async () => (await measuredBy(page)) > 200);
  return {
    /** Seconds that the page measured. */
    async leave(): Promise<number> {
      await page.evaluate(pause);
      const seconds = (await measuredBy(page)) / 1_000;
      const hasSent = async () => (await keptIn(page)) === 0;
      await waitUntil('the tracker to have sent all', hasSent, leaveWithinMs).catch(() => {});
      await context.close();
      await site.close();
      return seconds;
    },
  };
}

/** What runs in the page is text: here is no browser. */
const playOverAndOver = `(async () => {
  const video = document.querySelector('video');
  video.loop = true;
  await video.play();
})()`;
const pause = `document.querySelector('video').pause()`;
const kept = `Object.keys(localStorage).filter((key) => key.startsWith('playmeter ')).length`;

function measuredBy(page: Page): Promise<number> {
  return page.evaluate<number>('window.measured()');
}

function keptIn(page: Page): Promise<number> {
  return page.evaluate<number>(kept);
}

async function seatCrowd(target: Target, victim: Victim, newcomers: boolean) {
  const times: number[] = [];
  const refused: Record<string, number> = {};
  const note = (status: number, afterMs: number): void => {
    times.push(afterMs);
    if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
  };
  const join = () => seatViewer(target, { videoKey: victim.videoKey, note });
  const viewers = Array.from({ length: viewersAtFirst }, join);
  await Promise.all(viewers.map(({ isCounted }) => isCounted));
  times.length = 0;
  const joining = setInterval(() => {
    if (newcomers) viewers.push(join());
  }, joinEveryMs);
  return {
    answers() {
      const sorted = times.toSorted((one, other) => one - other);
      return {
        p50Ms: percentile(sorted, 0.5),
        p99Ms: percentile(sorted, 0.99),
        slowestMs: sorted.at(-1) ?? 0,
        refused,
      };
    },
    async leave(): Promise<Playback> {
      clearInterval(joining);
      const played = await Promise.all(viewers.map(({ leave }) => leave()));
      const playMs = played.reduce((sum, one) => sum + one, 0);
      return { plays: played.length, seconds: Math.floor(playMs / 1_000) };
    },
  };
}

export interface ViewerOptions {
  readonly videoKey: string;
  /** IP address of this machine; default: that of this machine's browsers. */
  readonly address?: string;
  /** Called for each answer. */
  readonly note: (status: number, afterMs: number) => void;
}

/** One view that grows; on a connection of its own, which stays open. */
export function seatViewer(target: Target, options: ViewerOptions) {
  const { videoKey, address = '127.0.0.1', note } = options;
  const connection: Stranger = stranger(target, { address, connections: 1 });
  const startedMs = Date.now();
  const first = { view: randomUUID(), stretch: 0, at: new Date(startedMs).toISOString(), videoKey };
  const leaving = new AbortController();
  let counted = () => {};
  const isCounted = new Promise<void>((resolve) => {
    counted = resolve;
  });
  /** Whether it was acknowledged. */
  const report = async (playMs: number): Promise<boolean> => {
    const { status, afterMs } = await connection.send({
      method: 'POST',
      path: '/collect/v1/beacons',
      headers: { 'content-type': 'text/plain', 'user-agent': viewersAgent },
      body: JSON.stringify({ beacons: [{ ...first, playMs }] }),
    });
    note(status, afterMs);
    if (status === 200) counted();
    return status === 200;
  };
  const watching = (async () => {
    const { signal } = leaving;
    while (!signal.aborted) {
      await report(Date.now() - startedMs);
      await sleep(beatEveryMs, undefined, { signal }).catch(() => {});
    }
    const playMs = Date.now() - startedMs;
    const giveUpAt = Date.now() + leaveWithinMs;
    while (!(await report(playMs)) && Date.now() < giveUpAt) await sleep(beatEveryMs);
    connection.close();
    return playMs;
  })();
  return {
    isCounted,
    /** How long it played (ms). */
    leave(): Promise<number> {
      leaving.abort();
      return watching;
    },
  };
}

function watchMemory(target: Target) {
  const beforeMb = target.residentMb();
  let mostMb = beforeMb;
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, target.residentMb());
  }, 100);
  return {
    beforeMb,
    stop(): number {
      clearInterval(timer);
      return mostMb;
    },
  };
}
