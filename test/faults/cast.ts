/**
 * Viewers of every kind: what they play, in which form they report it, and what the oracle records.
 */
import fc from 'fast-check';
import type { Report, WaitReport } from '../simulation/oracle.ts';
import type { Random } from '../simulation/random.ts';
import { nothingReported, telling } from '../simulation/reported.ts';
import {
  inBatches,
  type PlannedStretch,
  plannedStretches,
  systems,
} from '../simulation/viewers.ts';
import { drawWaits, type PlannedWait, type ToldWait } from '../simulation/waits.ts';
import { type Publication, publicationsPerAccount, type World } from '../simulation/world.ts';
import { beaconsMessage, cmcdMessage, logMessage, type Message, type Spoilt } from './message.ts';

/** The accounts by what their viewers are. */
export const cast = {
  /** All sorts, of which every question is asked. */
  any: { accounts: [0, 1], zones: ['Asia/Seoul', 'America/New_York'] },
  /**
   * Views whose hour only the service knows: of a player log it is that of the arrival, and of
   * several senders of one CMCD view it is the one on which their requests agreed.
   */
  late: { account: 2, zone: 'Asia/Kathmandu' },
  /** Senders that never send again: what was not acknowledged may be counted or not. */
  careless: { account: 3, zone: 'UTC' },
} as const;
export const castZones = [...cast.any.zones, cast.late.zone, cast.careless.zone];
export const anyPublications = cast.any.accounts.length * publicationsPerAccount;

export interface Viewer {
  /** Those of a round go in any order; the next begins when all of them are acknowledged. */
  readonly rounds: readonly (readonly Message[])[];
  readonly reports: readonly Report[];
  readonly waits?: readonly WaitReport[];
  readonly isCareless: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/**
 * Without a key, playing lies within the last 48 hours of the service's clock, and the simulation
 * sets that an hour and a half back and a day ahead.
 */
const oldestMs = 23 * hourMs;
const youngestMs = 2 * hourMs;
const longestCmcdMs = 10 * minuteMs;
/** Longer than the clock is ever set ahead from where it was set back to; at most a day. */
const shortestLogMs = 22 * hourMs;
const longestLogMs = 23 * hourMs;
const cmcdIntervalMs = 60_000;

interface CastOptions {
  readonly world: World;
  readonly seed: number;
  readonly random: Random;
  readonly nowMs: number;
  /** What players with a player log send with every event, by videoKey. */
  readonly logNumbers: ReadonlyMap<string, object>;
}

/** Draws one viewer after the other, without end. */
export function* drawViewers(options: CastOptions): Generator<Viewer, never> {
  const { world, seed, random, nowMs, logNumbers } = options;
  const stage = { world, nowMs, logNumbers };
  for (let scene = 0; ; scene += 1) {
    const plans = plannedStretches(anyPublications, 80);
    const [planned = []] = fc.sample(plans, { seed: seed + scene, numRuns: 1 });
    const views = Map.groupBy(planned, ({ view }) => view);
    for (const [name, stretches] of views) {
      const own = random.fork();
      const view = `${scene}-${name}`;
      const plan = stretches.map((stretch) => ({ ...stretch, view }));
      const kind = own.below(20);
      if (kind < 8) yield relayed(stage, plan, own);
      else if (kind < 12) yield inBrowser(stage, plan, own);
      else if (kind < 15) yield withCmcd(stage, plan, own);
      else if (kind < 17) yield withCrowdedCmcd(stage, plan, own);
      else if (kind < 19) yield withPlayerLog(stage, plan, own);
      else yield careless(stage, plan, own);
    }
  }
}

type Stage = Pick<CastOptions, 'world' | 'nowMs' | 'logNumbers'>;

/** Reported by a server with a key, at any past time, a few heartbeats a request. */
function relayed({ world }: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const reports = telling(plan, 'server', random).flatMap(world.reportsOf);
  const waits = drawWaits(plan, 'server', random).flatMap(world.waitsOf);
  const { account } = publicationOf(world, plan);
  const headers = { 'x-api-key': account.key };
  const all = random.shuffled([...reports, ...waits]);
  const messages = inBatches(all, random.between(1, 6)).map((batch) => {
    const beacons = batch.map(({ beacon }) => beacon);
    return beaconsMessage({ account, headers, reports: batch, spoilt: spoil(beacons, random) });
  });
  return { rounds: [messages], reports, waits, isCareless: false };

  function spoil(beacons: readonly object[], random: Random): Spoilt[] {
    if (!random.chance(0.15)) return [];
    const beacon = random.pick(beacons);
    return [
      { beacon: { ...beacon, accessKey: 'nobody' }, code: 'UNKNOWN_VIDEO' },
      { beacon: { ...beacon, at: '2100-01-01T00:00:00Z' }, code: 'IN_FUTURE' },
    ];
  }
}

/** A page with the tracker: no key, a heartbeat a request, of the last day. */
function inBrowser({ world, nowMs }: Stage, plan: readonly PlannedStretch[], random: Random) {
  const isPrivate = random.chance(0.2);
  const sender = isPrivate ? 'private page' : 'page';
  const recent = telling(plan, sender, random).map((planned) => recently(planned, nowMs, random));
  const reports = recent.flatMap(world.reportsOf);
  const waits = drawWaits(recent, sender, random).flatMap(world.waitsOf);
  const { account, videoKey } = publicationOf(world, plan);
  const headers = { ...headersOf(plan), ...(isPrivate && { 'sec-gpc': '1' }) };
  const sentOf = ({ beacon }: Report | WaitReport) => {
    const { packageId, accessKey, userAgent, platform, platformVersion, ...reported } = beacon;
    return { ...reported, videoKey };
  };
  const messages = [...reports, ...waits].map((report) => {
    const tooOld = { ...sentOf(report), at: new Date(nowMs - 100 * hourMs).toISOString() };
    const spoilt = random.chance(0.1) ? [{ beacon: tooOld, code: 'TOO_OLD' }] : [];
    return beaconsMessage({ account, headers, reports: [report], sentOf, spoilt });
  });
  return { rounds: [messages], reports, waits, isCareless: false };
}

/** A player that speaks CMCD: its stretches follow one another, reported by their ends. */
function withCmcd({ world, nowMs }: Stage, plan: readonly PlannedStretch[], random: Random) {
  const { account, videoKey } = publicationOf(world, plan);
  const atMs = nowMs - random.between(youngestMs + hourMs, oldestMs);
  const { lines, stretches, waits } = cmcdLoad(plan, atMs, random, true);
  const reported = { ...nothingReported, sender: 'page', rate: 100, quality: cmcdQuality } as const;
  const messageOf = (some: readonly string[]) =>
    cmcdMessage({ account, headers: headersOf(plan), videoKey, lines: some });
  // Where the beginning is missing for a minute, the play is dated by what there is. Players keep
  // their events in order until they are acknowledged, so the beginning comes first here as well.
  const beginning = messageOf(lines.slice(0, 2));
  const rest = inBatches(random.shuffled(lines.slice(2)), random.between(1, 4)).map(messageOf);
  const reports = stretches.map((one) => ({ ...one, reported })).flatMap(world.reportsOf);
  return {
    ...{ rounds: [[beginning], rest], reports, isCareless: false },
    waits: waits.flatMap(world.waitsOf),
  };
}

/**
 * One CMCD view of several senders at once: two loads of a session, each of which keeps its own
 * order; or one load in any order, on whose device the clock is set back after its first stretch.
 */
function withCrowdedCmcd(
  { world, nowMs }: Stage,
  given: readonly PlannedStretch[],
  random: Random,
) {
  const publication = latePublication(random);
  const plan = given.map((planned) => ({ ...planned, publication }));
  const { account, videoKey } = publicationAt(world, publication);
  const messageOf = (some: readonly string[]) =>
    cmcdMessage({ account, headers: headersOf(plan), videoKey, lines: some });
  const atMs = nowMs - random.between(youngestMs + 3 * hourMs, oldestMs - 3 * hourMs);
  const loads = [cmcdLoad(plan, atMs, random)];
  const isSetBack = random.chance(0.5);
  // A load lasts an hour at most.
  if (!isSetBack) loads.push(cmcdLoad(plan, atMs + 2 * hourMs, random));
  const stretches = loads.flatMap((load) => load.stretches);
  // All stretches of the view, with a number each.
  const reports = stretches.map((one, stretch) => ({ ...one, stretch })).flatMap(world.reportsOf);
  if (isSetBack) {
    const [load] = loads as [CmcdLoad];
    const firstEnd = load.lines.findIndex((line) => line.includes('sta=a'));
    const lines = load.lines.map((line, number) =>
      number <= firstEnd
        ? line
        : line.replace(/ts=(\d+)/, (_, ms) => `ts=${Number(ms) - 2 * hourMs}`),
    );
    const batches = inBatches(random.shuffled(lines), random.between(1, 4)).map(messageOf);
    return { rounds: [batches], reports, isCareless: false };
  }
  const ofLoads = loads.map(({ lines }) => inBatches(lines, random.between(1, 4)).map(messageOf));
  const mostRounds = Math.max(...ofLoads.map((messages) => messages.length));
  const rounds = Array.from({ length: mostRounds }, (_, round) =>
    ofLoads.flatMap((messages) => messages[round] ?? []),
  );
  return { rounds, reports, isCareless: false };
}

/** What each line tells. */
const cmcdBitrate = 300;
const cmcdQuality = {
  bitrate: cmcdBitrate,
  framesPerSecond: 0,
  droppedOf: 1,
  streamType: 'vod',
} as const;
/** A wait is followed for so long. */
const longestCmcdWaitMs = 210_000;

interface CmcdLoad {
  readonly lines: readonly string[];
  readonly stretches: readonly PlannedStretch[];
  readonly waits: readonly PlannedWait[];
}

/** `hasWaits`: it may also stall, seek and fail, and not only pause. */
function cmcdLoad(
  plan: readonly PlannedStretch[],
  startMs: number,
  random: Random,
  hasWaits = false,
): CmcdLoad {
  const sid = plan[0]?.view ?? '';
  const lines: string[] = [];
  const waits: PlannedWait[] = [];
  const told = hasWaits ? `,br=(${cmcdBitrate}),sf=h,st=v` : '';
  const say = (event: string, state: string, instantMs: number, more = '') =>
    lines.push(
      `e=${event},sid="${sid}",sn=${lines.length},sta=${state},ts=${Math.round(instantMs)}${told}${more},v=2`,
    );
  const wait = (atMs: number, one: ToldWait) => {
    const [{ view, publication, system } = { view: '', publication: 0, system: 0 }] = plan;
    const number = one.cause === 'start' ? 0 : 1 + waits.length;
    const ofView = { streamType: 'vod' } as const;
    const of = { view, publication, system, ofView, sender: 'page' } as const;
    waits.push({ ...of, wait: number, atMs, told: [one] });
  };
  let clockMs = startMs;
  say('ps', 's', clockMs - 1_000);
  if (hasWaits) wait(clockMs - 1_000, { cause: 'start', outcome: 'played', waitMs: 1_000 });
  const stretches = plan.map((planned, stretch): PlannedStretch => {
    const atMs = clockMs;
    const playMs = 1 + (Math.max(...planned.heartbeats) % longestCmcdMs);
    say('ps', 'p', atMs);
    for (let ms = cmcdIntervalMs; ms < playMs; ms += cmcdIntervalMs) say('t', 'p', atMs + ms);
    clockMs += playMs;
    const isLast = stretch === plan.length - 1;
    const ending = hasWaits ? random.pick(['a', 'r', 'k', 'f'] as const) : 'a';
    if (ending === 'a' || (ending === 'f') !== isLast) {
      say('ps', 'a', clockMs);
      clockMs += random.between(1, 5 * minuteMs);
    } else if (ending === 'f') {
      say('ps', 'f', clockMs);
      say('e', 'f', clockMs, ',ec=("3016")');
      wait(clockMs, { cause: 'error', outcome: 'failed', waitMs: 0, error: '3016' });
    } else {
      const waitMs = random.between(100, longestCmcdWaitMs);
      say('ps', ending, clockMs);
      for (let ms = cmcdIntervalMs; ms < waitMs; ms += cmcdIntervalMs)
        say('t', ending, clockMs + ms);
      wait(clockMs, { cause: ending === 'r' ? 'stall' : 'seek', outcome: 'played', waitMs });
      clockMs += waitMs;
    }
    return { ...planned, stretch, atMs, heartbeats: [playMs] };
  });
  return { lines, stretches, waits };
}

function latePublication(random: Random): number {
  const first = cast.late.account * publicationsPerAccount;
  return first + random.below(publicationsPerAccount);
}

/**
 * A native player with a player log, and a network that repeats it: one range, so long that however
 * far the service's clock is set, what comes again comes too soon to have been played again.
 */
function withPlayerLog(stage: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const { world, nowMs, logNumbers } = stage;
  const publication = latePublication(random);
  const { account, videoKey } = publicationAt(world, publication);
  const startedMs = nowMs - random.between(longestLogMs + 96 * minuteMs, longestLogMs + 3 * hourMs);
  const cs = new Date(startedMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const [one] = plan;
  if (!one) throw new Error('a view without a stretch');
  const session = { ...logNumbers.get(videoKey), uid: one.view, cs, dtt: 100_000 };
  const play = { ...one, publication, stretch: 0, atMs: startedMs, heartbeats: [0] };
  const lengthMs = random.between(shortestLogMs, longestLogMs);
  const startMs = random.below(60_000);
  const [dst, det] = [startMs / 1_000, (startMs + lengthMs) / 1_000];
  const names = ['vi', 'vp', 'vt'].slice(random.below(3));
  const events = [{ e: 'vs', ...session }, ...names.map((e) => ({ e, ...session, dst, det }))];
  const range = { ...play, stretch: 1, atMs: nowMs - lengthMs, heartbeats: [lengthMs] };
  const reports = [play, range].flatMap(world.reportsOf);
  const messages = events.map((event) => logMessage({ account, headers: headersOf(plan), event }));
  return { rounds: [messages], reports, isCareless: false };
}

function careless({ world }: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const publication =
    cast.careless.account * publicationsPerAccount + random.below(publicationsPerAccount);
  const reports = plan.flatMap((planned) => world.reportsOf({ ...planned, publication }));
  const { account } = publicationAt(world, publication);
  const headers = { 'x-api-key': account.key };
  return { rounds: [[beaconsMessage({ account, headers, reports })]], reports, isCareless: true };
}

/** The same playing, begun and over within what a sender without a key may report. */
function recently(planned: PlannedStretch, nowMs: number, random: Random): PlannedStretch {
  const atMs = nowMs - random.between(youngestMs, oldestMs);
  const longestMs = nowMs - youngestMs - atMs;
  const heartbeats = planned.heartbeats.map((playMs) => Math.min(playMs, longestMs));
  return { ...planned, atMs, heartbeats };
}

function publicationOf(world: World, [planned]: readonly PlannedStretch[]): Publication {
  return publicationAt(world, planned?.publication ?? -1);
}

function publicationAt({ publications }: World, index: number): Publication {
  const publication = publications[index];
  if (!publication) throw new Error('no such publication');
  return publication;
}

/** The evidence of a viewer's system, as browsers and players send it. */
function headersOf([planned]: readonly PlannedStretch[]): Record<string, string> {
  const system = systems[planned?.system ?? 0] ?? systems[0];
  if ('userAgent' in system) return { 'user-agent': system.userAgent };
  return {
    'sec-ch-ua-platform': `"${system.platform}"`,
    'sec-ch-ua-platform-version': `"${system.platformVersion}"`,
  };
}
