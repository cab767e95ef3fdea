/** A year of plays up to now: growing, with the rhythm of days and weeks, and a few good days. */
import { localDate, localDay } from '../../src/lib/time/time-zone.ts';
import { dayMs } from '../../src/lib/time/utc-day.ts';
import type { DemoVideo } from './demo-library.ts';
import { drawViewer } from './demo-viewers.ts';
import { createDraw, type Draw } from './draw.ts';
import { drawRuns } from './how-far.ts';
import { isBadDay, type StretchBeacon, withQuality } from './make-up-quality.ts';

const days = 365;
/** Monday first. */
const weekRhythm = [0.92, 0.9, 0.95, 1, 1.1, 1.25, 1.2];
/** By hour of the day. */
const dayRhythm = [
  ...[6, 3, 2, 1, 1, 2, 5, 11, 16, 15, 14, 16],
  ...[22, 21, 16, 15, 17, 21, 26, 32, 38, 40, 31, 16],
];
const leastPlayMs = 400;
const watchingNow = 24;
/** Playback that is reported as still going on; a beacon may run this far ahead. */
const aheadMs = 240_000;

/** A video as the catalog has it. */
export interface PublishedVideo extends DemoVideo {
  readonly accessKey: string;
  readonly packageIds: readonly number[];
}

interface Playing {
  readonly videos: readonly PublishedVideo[];
  readonly plays: number;
  readonly seed: number;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** The beacons of each day, oldest first. The same seed on the same day makes the same plays. */
export function* makeUpPlays({ videos, plays, seed, nowMs, timeZone }: Playing) {
  const draw = createDraw(seed);
  // Of its own: plays are the same whatever is told of their quality.
  const ofQuality = createDraw(seed + 3);
  const weights = Array.from({ length: days }, (_, day) => weightOf(draw, day, nowMs));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [day, weight] of weights.entries()) {
    const atMs = nowMs - (days - 1 - day) * dayMs;
    const { fromMs } = localDay(timeZone, atMs);
    const date = localDate(timeZone, atMs);
    const count = Math.round((plays * weight) / total);
    const year = day / days;
    const there = videos.filter(({ since }) => since <= year);
    const isOnBadDay = isBadDay(days - 1 - day, nowMs);
    const beacons: object[] = [];
    for (let play = 0; play < count; play += 1) {
      const startMs = fromMs + drawHour(draw) * 3_600_000;
      const stretches = stretchesOf(draw, there, { view: `demo-${date}-${play}`, startMs, year });
      const made = withQuality(ofQuality, stretches, { isOnBadDay, isOver: true });
      // What lies ahead is drawn too, so that the day looks the same whenever it is made.
      if (startMs + 3_600_000 < nowMs) beacons.push(...made);
    }
    yield { share: (day + 1) / days, beacons };
  }
  const watching = watchingAt(draw, videos, nowMs);
  const still = { isOnBadDay: false, isOver: false };
  yield { share: 1, beacons: watching.flatMap((one) => withQuality(ofQuality, [one], still)) };
}

function weightOf(draw: Draw, day: number, nowMs: number): number {
  const weekday = new Date(nowMs - (days - 1 - day) * dayMs).getUTCDay();
  const rhythm = weekRhythm[(weekday + 6) % 7] ?? 1;
  const season = 1 + 0.12 * Math.sin((day / days) * 4 * Math.PI);
  const noise = 0.9 + 0.2 * draw.next();
  // Somebody with many readers wrote about it.
  const surge = draw.next() < 0.015 ? 1.9 : 1;
  return (0.5 + day / days) * rhythm * season * noise * surge;
}

const hours = dayRhythm.map((weight, hour) => [hour, weight] as const);

function drawHour(draw: Draw): number {
  return draw.pick(hours) + draw.next();
}

interface View {
  readonly view: string;
  readonly startMs: number;
  /** Share of the year. */
  readonly year: number;
}

function stretchesOf(draw: Draw, videos: readonly PublishedVideo[], about: View): StretchBeacon[] {
  const { view, startMs, year } = about;
  const video = draw.pick(videos.map((one) => [one, one.weight] as const));
  const common = { ...drawViewer(draw, year), ...placeOf(draw, video) };
  const speed = draw.next() < 0.06 ? 1.5 : 1;
  let atMs = startMs;
  return drawRuns(draw, video.watching).map(({ from, to }, stretch) => {
    const lengthMs = video.seconds * 1_000;
    const mediaMs = Math.max(leastPlayMs, Math.round((to - from) * lengthMs));
    const playMs = Math.round(mediaMs / speed);
    const beacon = {
      ...{ view, stretch, at: new Date(atMs).toISOString(), playMs, mediaMs },
      ...{ position: Math.round(from * lengthMs), ...common },
    };
    // A moment to find the place.
    atMs += playMs + 1_500;
    return beacon;
  });
}

export function placeOf(draw: Draw, video: PublishedVideo) {
  const packages = video.packageIds.map((id, index) => [id, 5 - 2 * index] as const);
  const host = draw.next() < 0.85 ? 'www.tidehouse.example' : 'learn.tidehouse.example';
  const page = `https://${host}/${video.page}`;
  return { accessKey: video.accessKey, packageId: draw.pick(packages), page };
}

/** For the page that shows who watches at this moment. */
function watchingAt(draw: Draw, videos: readonly PublishedVideo[], nowMs: number): StretchBeacon[] {
  const long = videos.filter(({ seconds }) => seconds > 300);
  return Array.from({ length: watchingNow }, (_, index) => {
    const video = draw.pick(long.map((one) => [one, one.weight] as const));
    const sinceMs = Math.floor(draw.next() * Math.min(900, video.seconds - 280) * 1_000);
    const playMs = sinceMs + aheadMs;
    return {
      ...{ view: `demo-now-${index}`, stretch: 0, position: 0, playMs, mediaMs: playMs },
      at: new Date(nowMs - sinceMs).toISOString(),
      ...{ ...drawViewer(draw, 1), ...placeOf(draw, video) },
    };
  });
}
