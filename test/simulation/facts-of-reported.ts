/**
 * The facts that the naive oracle is to have of what beacons tell, with nothing of the service's own
 * code.
 */
import { createHash } from 'node:crypto';
import type { Fact } from '../../src/store/facts.ts';
import { localTime, type Report, type WaitReport } from './oracle.ts';
import { nothingReported, type Reported } from './reported.ts';
import { systems } from './viewers.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
/** Since 1970; after all that is played. */
const lastDay = 30_000;

/** What a report adds to the facts: a part in each quarter of an hour. */
export function factsOfReported(
  report: Report,
  reported: Reported,
  about: { readonly videoId: number; readonly timeZone: string },
): Fact[] {
  const { accountId, packageId, os, osVersion, beacon } = report;
  const { view, stretch, playMs, position, mediaMs = 0 } = beacon;
  const startMs = Date.parse(beacon.at);
  const endMs = startMs + playMs;
  const { videoId } = about;
  const whole = { accountId, packageId, videoId, os, osVersion, view, stretch, suspect: '' };
  const viewer = viewerOf(report, reported, localTime(startMs, about.timeZone).date);
  const { mediaBits, frames, droppedFrames, mediaHost } = beacon;
  const quality = { mediaBits, frames, droppedFrames, mediaHost };
  const attributes = attributesOf(report, reported);
  const facts: Fact[] = [];
  let fromMs = startMs;
  do {
    const slotStart = Math.floor(fromMs / slotMs) * slotMs;
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const laterMs = endMs - untilMs;
    const plays = fromMs === startMs && stretch === 0 ? 1 : 0;
    const details = { startMs, laterMs, position, mediaMs, viewer, attributes };
    facts.push({ ...whole, slotStart, playMs: untilMs - fromMs, plays, details, quality });
    fromMs = untilMs;
  } while (fromMs < endMs);
  return facts;
}

/** Above all numbers of stretches. */
const firstWait = 2 ** 31;

export function factOfWait(
  report: WaitReport,
  { videoId, timeZone }: { readonly videoId: number; readonly timeZone: string },
): Fact {
  const { accountId, packageId, os, osVersion, beacon, sender } = report;
  const { view, wait, waitMs, cause, outcome, error, mediaHost } = beacon;
  const startMs = Date.parse(beacon.at);
  const reported = { ...nothingReported, sender };
  const viewer = viewerOf(report, reported, localTime(startMs, timeZone).date);
  const attributes = {
    ...attributesOf(report, reported),
    ...(wait === 0 && { quality: 'reported' }),
  };
  return {
    ...{ accountId, packageId, videoId, os, osVersion, view, stretch: firstWait + wait },
    ...{ suspect: '', slotStart: Math.floor(startMs / slotMs) * slotMs, plays: 0, playMs: 0 },
    details: { startMs, laterMs: 0, mediaMs: 0, viewer, attributes },
    quality: { wait: { waitMs, cause, outcome, error }, mediaHost },
  };
}

function attributesOf({ beacon, os }: Report | WaitReport, { page, referrer, labels }: Reported) {
  const { player = '' } = beacon;
  return {
    device: { iOS: 'mobile', Android: 'mobile', Windows: 'desktop' }[os] ?? '',
    host: beacon.page && page ? page.path.slice(0, page.path.indexOf('/')) : '',
    page: (beacon.page && page?.path) ?? '',
    referrer: (beacon.referrer && referrer?.host) ?? '',
    player: player.includes('/') ? player : '',
    label1: (beacon.labels && labels?.plan) ?? '',
    label2: (beacon.labels && labels?.team) ?? '',
    streamType: beacon.streamType ?? '',
    connection: beacon.connection ?? '',
  };
}

/** A number for each viewer, of the kind that the reports make known. */
function viewerOf(
  report: Report | WaitReport,
  { sender, viewer }: Pick<Reported, 'sender' | 'viewer'>,
  day: string,
): string | undefined {
  const { accountId, os, osVersion, beacon } = report;
  if (sender === 'private page') return undefined;
  if (viewer !== undefined && beacon.viewer !== undefined)
    return numberOf(2n, `${accountId} ${viewer}`);
  if (sender === 'server') return undefined;
  const system = systems.find(({ name, version }) => name === os && version === osVersion);
  const userAgent = system && 'userAgent' in system ? system.userAgent : '';
  // Of a view's anonymous viewers that of its earliest day is the largest number.
  const beforeDays = BigInt(lastDay - Date.parse(day) / dayMs);
  return numberOf(1n, `${accountId} ${day} ${userAgent}`, beforeDays);
}

function numberOf(kind: bigint, text: string, rank = 0n): string {
  const hash = createHash('md5').update(text).digest('hex').slice(0, 11);
  return String((kind << 62n) + (rank << 44n) + BigInt(`0x${hash}`));
}
