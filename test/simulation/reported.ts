/** What beacons tell of the audience besides playback. */
import type { Beacon } from '../../src/wire/beacons/beacon.ts';

/** A beacon of a stretch. */
export type StretchBeacon = Beacon & Required<Pick<Beacon, 'stretch' | 'playMs'>>;

import type { Random } from './random.ts';

/** Of a stretch. */
export interface Reported {
  /** Who reports: a server with a key, a page, or a page whose viewer wants no tracking. */
  readonly sender: 'server' | 'page' | 'private page';
  readonly position: number | undefined;
  /** How far the media advances in 100 ms of playing. */
  readonly rate: number;
  readonly viewer: string | undefined;
  readonly page: (typeof pages)[number] | undefined;
  readonly referrer: (typeof referrers)[number] | undefined;
  /** Each heartbeat tells the next: the largest text counts. */
  readonly players: readonly string[];
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly quality: QualityOfStretch | undefined;
}

/** What any beacon may tell of its view. */
export type QualityOfView = Pick<Beacon, 'streamType' | 'connection'>;

interface QualityOfStretch extends QualityOfView, Pick<Beacon, 'mediaHost'> {
  /** In kbit/s. */
  readonly bitrate: number;
  readonly framesPerSecond: number;
  /** One of so many is dropped. */
  readonly droppedOf: number;
}

const pages = [
  { url: 'https://www.example.com/Films/1?from=mail#top', path: 'www.example.com/Films/1' },
  { url: 'https://www.example.com/films/2', path: 'www.example.com/films/2' },
];
const referrers = [{ url: 'https://search.example.org/?q=film', host: 'search.example.org' }];
const playerNames = ['hls.js/1.7.0', 'hls.js/1.10.0', 'nothing'];
/** The first two are declared, in this order. */
const labelValues = { plan: ['free', 'paid'], team: ['red'], nobody: ['x'] };
const viewerNames = ['Ada', 'Emmy', 'Sofia', 'ada'];

export const nothingReported: Omit<Reported, 'sender'> = {
  ...{ position: undefined, rate: 0, viewer: undefined, page: undefined, referrer: undefined },
  ...{ players: [], labels: undefined, quality: undefined },
};

/**
 * Each stretch tells what it pleases, but for the viewer: of two that are told of a view, the one with
 * the larger number counts, which only the service knows.
 */
export function telling<Planned extends { readonly view: string }>(
  plan: readonly Planned[],
  sender: Reported['sender'],
  random: Random,
): (Planned & { readonly reported: Reported })[] {
  const viewers = new Map<string, string>();
  return plan.map((planned) => {
    const viewer = viewers.get(planned.view) ?? random.pick(viewerNames);
    viewers.set(planned.view, viewer);
    return { ...planned, reported: drawReported(random, sender, viewer) };
  });
}

function drawReported(random: Random, sender: Reported['sender'], viewer: string): Reported {
  const maybe = <Value>(draw: () => Value) => (random.chance(0.7) ? draw() : undefined);
  return {
    sender,
    position: maybe(() => random.below(random.chance(0.5) ? 20_000 : 70_000)),
    rate: random.pick([0, 50, 100, 100, 200]),
    viewer: random.chance(0.4) ? viewer : undefined,
    page: maybe(() => random.pick(pages)),
    referrer: maybe(() => random.pick(referrers)),
    players: random.shuffled(playerNames).slice(random.below(4)),
    labels: maybe(() =>
      Object.fromEntries(
        Object.entries(labelValues)
          .filter(() => random.chance(0.6))
          .map(([name, values]) => [name, random.pick(values)]),
      ),
    ),
    quality: maybe(() => ({
      ...qualityMembers(random),
      ...(random.chance(0.7) && { mediaHost: random.pick(mediaHosts) }),
      bitrate: random.pick([0, 300, 2_500]),
      framesPerSecond: random.pick([0, 24, 50]),
      droppedOf: random.between(1, 500),
    })),
  };
}

export const mediaHosts = ['cdn1.example.com', 'cdn2.example.com'];

export function qualityMembers(random: Random): QualityOfView {
  return {
    ...(random.chance(0.5) && { streamType: random.pick(['vod', 'live'] as const) }),
    ...(random.chance(0.5) && { connection: random.pick(['slow-2g', '2g', '3g', '4g'] as const) }),
  };
}

/** The members of a stretch's beacon, of its heartbeat with this number. */
export function membersOf(reported: Reported, playMs: number, heartbeat: number): Partial<Beacon> {
  const { position, viewer, page, referrer, players, labels, quality } = reported;
  return {
    ...(position !== undefined && { position }),
    ...((position !== undefined || quality) && { mediaMs: mediaMsOf(reported, playMs) }),
    ...(viewer !== undefined && { viewer }),
    ...(page && { page: page.url }),
    ...(referrer && { referrer: referrer.url }),
    ...(players.length > 0 && { player: players[heartbeat % players.length] ?? '' }),
    ...(labels && { labels }),
    ...(quality && membersOfQuality(quality, playMs)),
  };
}

function membersOfQuality(quality: QualityOfStretch, playMs: number): Partial<Beacon> {
  const { bitrate, framesPerSecond, droppedOf, ...told } = quality;
  const frames = Math.floor((playMs * framesPerSecond) / 1_000);
  return {
    ...told,
    ...{ mediaBits: bitrate * playMs, frames, droppedFrames: Math.floor(frames / droppedOf) },
  };
}

function mediaMsOf({ rate }: Reported, playMs: number): number {
  return Math.floor((playMs * rate) / 100);
}
