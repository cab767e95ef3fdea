/** What a service sees besides plays: bots, wrong clocks and old pages, and films in a loop. */
import { drawViewer } from './demo-viewers.ts';
import { createDraw, type Draw } from './draw.ts';
import { type PublishedVideo, placeOf } from './make-up-plays.ts';

const mostRefused = 900;
/** Of so many plays, one comes with a beacon that is refused. */
const playsPerRefused = 300;
const minuteMs = 60_000;
const aheadMs = 1_440 * minuteMs;
/** Longer than a view of one of these usually lasts: see USUAL_LENGTHS. */
const loopedLengths = [14, 31, 19, 42, 12, 23];
const loopedSeconds = 100;

const bots = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)',
].map((userAgent) => [userAgent, 1] as const);

type Beacon = Readonly<Record<string, unknown>>;
/** What makes a beacon of a play one that is refused. */
type Spoil = (beacon: Beacon, draw: Draw) => Beacon;

const spoils: readonly (readonly [Spoil, number])[] = [
  [(beacon, draw) => ({ ...beacon, userAgent: draw.pick(bots) }), 12],
  // Its clock is ahead.
  [(beacon) => ({ ...beacon, at: aheadOf(beacon) }), 3],
  // A page that still has the key of a film that is gone.
  [(beacon) => ({ ...beacon, accessKey: 'taken-down' }), 3],
  [({ playMs: _, ...beacon }) => beacon, 1],
];

interface Around {
  readonly videos: readonly PublishedVideo[];
  readonly plays: number;
  readonly seed: number;
  readonly nowMs: number;
}

function aheadOf({ at }: Beacon): string {
  return new Date(Date.parse(String(at)) + aheadMs).toISOString();
}

/** Beacons of today, each of which is refused. */
export function makeUpRefused({ videos, plays, seed, nowMs }: Around): Beacon[] {
  const draw = createDraw(seed + 1);
  const count = Math.min(mostRefused, Math.ceil(plays / playsPerRefused));
  return Array.from({ length: count }, (_, index) => {
    const view = `demo-refused-${index}`;
    const spoil = draw.pick(spoils);
    return spoil(beaconOf(draw, videos, { view, nowMs, playMs: 20_000 }), draw);
  });
}

/** Short films in a loop on somebody's screen: most of their time is set apart. */
export function makeUpLooped({ videos, seed, nowMs }: Around): Beacon[] {
  const draw = createDraw(seed + 2);
  const short = videos.filter(({ seconds }) => seconds < loopedSeconds);
  return loopedLengths.map((lengths, index) => {
    const video = short[index % short.length] as PublishedVideo;
    const playMs = lengths * video.seconds * 1_000;
    return beaconOf(draw, [video], { view: `demo-looped-${index}`, nowMs, playMs });
  });
}

interface View {
  readonly view: string;
  readonly nowMs: number;
  readonly playMs: number;
}

/** It ended some minutes ago. */
function beaconOf(draw: Draw, videos: readonly PublishedVideo[], about: View): Beacon {
  const { view, nowMs, playMs } = about;
  const video = draw.pick(videos.map((one) => [one, one.weight] as const));
  const endMs = nowMs - Math.ceil(draw.next() * 60) * minuteMs;
  return {
    ...{ view, stretch: 0, at: new Date(endMs - playMs).toISOString(), playMs },
    ...{ ...drawViewer(draw, 1), ...placeOf(draw, video) },
  };
}
