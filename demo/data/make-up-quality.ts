/** How the invented plays start and stall: mostly well, and badly for some viewers on one day. */
import type { Draw } from './draw.ts';

export interface StretchBeacon {
  readonly view: string;
  readonly stretch: number;
  readonly at: string;
  readonly playMs: number;
  readonly mediaMs: number;
  readonly position: number;
  readonly [member: string]: unknown;
}

const dayMs = 86_400_000;
const saturday = 6;

/** Whether the day that was so many days ago is the last Saturday before today. */
export function isBadDay(daysAgo: number, nowMs: number): boolean {
  const weekday = new Date(nowMs - daysAgo * dayMs).getUTCDay();
  return daysAgo >= 1 && daysAgo <= 7 && weekday === saturday;
}

const badHost = 'cdn2.example';
const southKorea = '168.126.63.1';
const hosts = [
  ['cdn1.example', 5],
  [badHost, 5],
  ['origin.example', 1],
] as const;
const connections = [
  ['4g', 10],
  ['3g', 1],
  [undefined, 4],
] as const;
/** Bits in a second of each rendition. */
const renditions = [
  [5_000_000, 5],
  [3_000_000, 5],
  [1_400_000, 2],
] as const;
const lowest = 700_000;
const framesPerSecond = 25;

/** Shares of views, stalls, and lengths of waits. */
const [usual, bad] = [
  { slower: 1, exits: 0.012, startFails: 0.003, fails: 0.005, stallsPerHour: 4, stallMs: 1_100 },
  { slower: 5.6, exits: 0.18, startFails: 0.06, fails: 0.2, stallsPerHour: 70, stallMs: 2_500 },
] as const;
/** Of players that tell nothing of it. */
const silentShare = 0.03;
/** Of a spread that looks like what networks do. */
const startupMs = { median: 820, sigma: 0.52 };

interface Circumstances {
  readonly isOnBadDay: boolean;
  /** Whether the view has ended. */
  readonly isOver: boolean;
}

/** The stretches of a view with what they tell of their quality, and its waits. */
export function withQuality(
  draw: Draw,
  stretches: readonly StretchBeacon[],
  { isOnBadDay, isOver }: Circumstances,
): object[] {
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined || draw.next() < silentShare) return [...stretches];
  const { stretch: _, playMs: _played, mediaMs: _media, position: _position, ...common } = first;
  const mediaHost = draw.pick(hosts);
  const connection = draw.pick(connections);
  const view = { ...common, mediaHost, streamType: 'vod', ...(connection && { connection }) };
  const isAndroid = /Android/.test(String(first.userAgent));
  const isHit = isOnBadDay && isAndroid && first.address === southKorea && mediaHost === badHost;
  const odds = isHit ? bad : usual;
  const slower = odds.slower * (connection === '3g' ? 1.6 : 1);
  const beganMs = Date.parse(first.at);
  const startMs = Math.round(startupMs.median * slower * Math.exp(startupMs.sigma * normal(draw)));
  const start = { ...view, wait: 0, cause: 'start' };
  const beacons: object[] = [
    { ...start, at: textOf(beganMs - startMs), waitMs: startMs, outcome: 'played' },
  ];
  const chance = draw.next();
  // Attempts that came to nothing are views of their own, so that plays stay as they are.
  const isExit = chance < odds.exits;
  if (isExit || chance < odds.exits + odds.startFails) {
    const waitMs = Math.round(startMs * (isExit ? 3 : 1.5));
    const ended = isExit ? { outcome: 'left' } : { outcome: 'failed', error: 'manifestLoadError' };
    const nothing = { ...start, view: `${view.view}-0`, waitMs, ...ended };
    if (isOver) beacons.push({ ...nothing, at: textOf(beganMs - startMs - waitMs - 2_000) });
  }
  const bitrate = isHit || connection === '3g' ? lowest : draw.pick(renditions);
  const dropped = 0.001 + 0.004 * draw.next();
  for (const one of stretches) {
    const frames = Math.round((one.mediaMs / 1_000) * framesPerSecond);
    const mediaBits = Math.round((one.mediaMs / 1_000) * bitrate);
    const droppedFrames = Math.round(frames * dropped);
    beacons.push({ ...one, ...view, at: one.at, mediaBits, frames, droppedFrames });
  }
  if (!isOver) return beacons;
  let wait = 1;
  const waitAt = (atMs: number, of: object) => {
    beacons.push({ ...view, wait, at: textOf(atMs), ...of });
    wait += 1;
  };
  for (const one of stretches.slice(1)) {
    const waitMs = 150 + Math.round(500 * draw.next());
    waitAt(Date.parse(one.at) - waitMs, { waitMs, cause: 'seek', outcome: 'played' });
  }
  const endMs = Date.parse(last.at) + last.playMs;
  // However long a video is, its hours stand still as often.
  const playedMs = stretches.reduce((sum, { playMs }) => sum + playMs, 0);
  const stalls = Math.floor((odds.stallsPerHour * playedMs) / 3_600_000 + draw.next());
  for (let stall = 0; stall < stalls; stall += 1) {
    const waitMs = 150 + Math.round(2 * odds.stallMs * draw.next());
    waitAt(endMs + stall, { waitMs, cause: 'stall', outcome: 'played' });
  }
  if (draw.next() < odds.fails) {
    const error = isHit ? 'fragLoadError' : draw.pick(errors);
    waitAt(endMs + 15_000, { waitMs: 0, cause: 'error', outcome: 'failed', error });
  }
  return beacons;
}

const errors = [
  ['fragLoadError', 3],
  ['MEDIA_ERR_DECODE', 2],
  ['bufferAppendError', 1],
] as const;

const textOf = (ms: number) => new Date(ms).toISOString();

/** Of the standard normal distribution. */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw.next())) * Math.cos(2 * Math.PI * draw.next());
}
