/** Viewers of every kind: what they play, in which form they tell it, and what the oracle hears. */
import fc from 'fast-check';
import type { Told } from '../simulation/oracle.ts';
import type { Random } from '../simulation/random.ts';
import {
  inBatches,
  type PlannedStretch,
  plannedStretches,
  systems,
} from '../simulation/viewers.ts';
import { type Publication, publicationsPerAccount, type World } from '../simulation/world.ts';
import { beaconsMessage, cmcdMessage, logMessage, type Message, type Spoilt } from './message.ts';

/** The accounts by what their viewers are. */
export const cast = {
  /** All sorts, of which every question is asked. */
  any: { accounts: [0, 1], zones: ['Asia/Seoul', 'America/New_York'] },
  /** Players with a player log: their time is dated by the service's clock at its arrival. */
  log: { account: 2, zone: 'Asia/Kathmandu' },
  /** Senders that never send again: what was not acknowledged may be counted or not. */
  careless: { account: 3, zone: 'UTC' },
} as const;
export const castZones = [...cast.any.zones, cast.log.zone, cast.careless.zone];
export const anyPublications = cast.any.accounts.length * publicationsPerAccount;

export interface Viewer {
  /** Those of a round go in any order; the next begins when all of them are acknowledged. */
  readonly rounds: readonly (readonly Message[])[];
  readonly told: readonly Told[];
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
      if (kind < 9) yield relayed(stage, plan, own);
      else if (kind < 14) yield inBrowser(stage, plan, own);
      else if (kind < 17) yield withCmcd(stage, plan, own);
      else if (kind < 19) yield withPlayerLog(stage, plan, own);
      else yield careless(stage, plan, own);
    }
  }
}

type Stage = Pick<CastOptions, 'world' | 'nowMs' | 'logNumbers'>;

/** Told by a server with a key, of any past time, a few heartbeats a request. */
function relayed({ world }: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const told = plan.flatMap(world.toldOf);
  const { account } = publicationOf(world, plan);
  const headers = { 'x-api-key': account.key };
  const messages = inBatches(random.shuffled(told), random.between(1, 6)).map((batch) => {
    const beacons = batch.map(({ beacon }) => beacon);
    return beaconsMessage({ account, headers, beacons, spoilt: spoil(beacons, random) });
  });
  return { rounds: [messages], told, isCareless: false };

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
  const told = plan.map((planned) => recently(planned, nowMs, random)).flatMap(world.toldOf);
  const { account, videoKey } = publicationOf(world, plan);
  const headers = headersOf(plan);
  const messages = told.map(({ beacon: { view, stretch, at, playMs } }) => {
    const beacon = { view, stretch, at, playMs, videoKey };
    const tooOld = { ...beacon, at: new Date(nowMs - 100 * hourMs).toISOString() };
    const spoilt = random.chance(0.1) ? [{ beacon: tooOld, code: 'TOO_OLD' }] : [];
    return beaconsMessage({ account, headers, beacons: [beacon], spoilt });
  });
  return { rounds: [messages], told, isCareless: false };
}

/** A player that speaks CMCD: its stretches follow one another, told by their ends and on the way. */
function withCmcd({ world, nowMs }: Stage, plan: readonly PlannedStretch[], random: Random) {
  const { account, videoKey } = publicationOf(world, plan);
  const sid = plan[0]?.view ?? '';
  const lines: string[] = [];
  const say = (event: string, state: string, instantMs: number) =>
    lines.push(
      `e=${event},sid="${sid}",sn=${lines.length},sta=${state},ts=${Math.round(instantMs)},v=2`,
    );
  let clockMs = nowMs - random.between(youngestMs + hourMs, oldestMs);
  say('ps', 's', clockMs - 1_000);
  const stretches = plan.map((planned, stretch): PlannedStretch => {
    const atMs = clockMs;
    const playMs = 1 + (Math.max(...planned.heartbeats) % longestCmcdMs);
    say('ps', 'p', atMs);
    for (let ms = cmcdIntervalMs; ms < playMs; ms += cmcdIntervalMs) say('t', 'p', atMs + ms);
    say('ps', 'a', atMs + playMs);
    clockMs += playMs + random.between(1, 5 * minuteMs);
    return { ...planned, stretch, atMs, heartbeats: [playMs] };
  });
  const told = stretches.flatMap(world.toldOf);
  const messageOf = (some: readonly string[]) =>
    cmcdMessage({ account, headers: headersOf(plan), videoKey, lines: some });
  // Where the beginning is missing for a minute, the play is dated by what there is. Players keep
  // their events in order until they are acknowledged, so the beginning comes first here as well.
  const beginning = messageOf(lines.slice(0, 2));
  const rest = inBatches(random.shuffled(lines.slice(2)), random.between(1, 4)).map(messageOf);
  return { rounds: [[beginning], rest], told, isCareless: false };
}

/** A native player with a player log: ranges of media, dated by when they arrive. */
function withPlayerLog(stage: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const { world, nowMs, logNumbers } = stage;
  const first = cast.log.account * publicationsPerAccount;
  const publication = first + random.below(publicationsPerAccount);
  const { account, videoKey } = publicationAt(world, publication);
  const startedMs = nowMs - random.between(youngestMs, oldestMs);
  const cs = new Date(startedMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const [one] = plan;
  if (!one) throw new Error('a view without a stretch');
  const session = { ...logNumbers.get(videoKey), uid: one.view, cs, dtt: 3_600 };
  const play = { ...one, publication, stretch: 0, atMs: startedMs, heartbeats: [0] };
  const ranges: PlannedStretch[] = [];
  const events: object[] = [{ e: 'vs', ...session }];
  let position = 0;
  const lastStretch = random.between(1, 5);
  for (let stretch = 1; stretch <= lastStretch; stretch += 1) {
    const lengthMs = random.between(1, 10_000);
    const [dst, det] = [position / 1_000, (position + lengthMs) / 1_000];
    events.push({ e: random.pick(['vi', 'vp', 'vt']), ...session, dst, det });
    ranges.push({ ...play, stretch, atMs: nowMs, heartbeats: [lengthMs] });
    position += lengthMs + random.between(0, 60_000);
  }
  const told = [play, ...ranges].flatMap(world.toldOf);
  const messages = events.map((event) => logMessage({ account, headers: headersOf(plan), event }));
  return { rounds: [messages], told, isCareless: false };
}

function careless({ world }: Stage, plan: readonly PlannedStretch[], random: Random): Viewer {
  const publication =
    cast.careless.account * publicationsPerAccount + random.below(publicationsPerAccount);
  const told = plan.flatMap((planned) => world.toldOf({ ...planned, publication }));
  const { account } = publicationAt(world, publication);
  const headers = { 'x-api-key': account.key };
  const beacons = told.map(({ beacon }) => beacon);
  return { rounds: [[beaconsMessage({ account, headers, beacons })]], told, isCareless: true };
}

/** The same playing, begun and over within what a sender without a key may tell of. */
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
