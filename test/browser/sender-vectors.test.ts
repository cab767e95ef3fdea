/** The vectors of docs/senders.md: the sender of the client and the tracker do what they say. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Beacon } from '../../client/src/sender/beacon.ts';
import { createSender, createTextStore, createView } from '../../client/src/sender/index.ts';
import queue from '../../client/vectors/queue.json' with { type: 'json' };
import resuming from '../../client/vectors/resuming.json' with { type: 'json' };
import stretches from '../../client/vectors/stretches.json' with { type: 'json' };
import waits from '../../client/vectors/waits.json' with { type: 'json' };
import { track } from '../../tracker/src/track.ts';
import { webStorage } from '../support/web-storage.ts';

interface Vector {
  readonly name: string;
  readonly events: readonly VectorEvent[];
  readonly beacons: readonly SentBeacon[];
}
interface VectorEvent {
  readonly ms: number;
  readonly event: string;
  readonly view?: string;
  readonly live?: boolean;
  readonly rate?: number;
  /** Seconds: where a seek goes to. */
  readonly to?: number;
  readonly untilMs?: number;
  /** Code of a fatal error. */
  readonly error?: string;
  readonly byMs?: number;
  readonly answers?: Partial<Answers>;
}
interface SentBeacon {
  /** Or the first and the last moment that is right. */
  readonly sentMs: number | readonly [number, number];
  readonly view?: string;
}

/** How the server answers. */
interface Answers {
  readonly status: number;
  /** Its clock before the device's, as this is at first. */
  readonly aheadMs: number;
  readonly roundTripMs: number;
  readonly retryAfter: string;
  readonly rejected: readonly { index: number; code: string; detail: string }[];
  /** `proxy`: something in between answers; `nobody`: no one does. */
  readonly by: 'server' | 'proxy' | 'nobody';
}

interface Player {
  playing: boolean;
  /** It should play, and does not. */
  waiting: boolean;
  seeking: boolean;
  error?: string | undefined;
  /** Before a seek it is where it had come to, after it where it went to. */
  positionSeconds: number;
  rate: number;
  live: boolean;
}

/** What plays a vector, and reports it. */
interface Device {
  start(player: Player, view: string | undefined): void;
  tell(event: string, player: Player, to?: number): void;
  background(player: Player): void;
  online(): void;
}

const beganMs = Date.parse('2026-11-20T10:00:00Z');
const lookMs = 250;
const guide = readFileSync(new URL('../../docs/senders.md', import.meta.url), 'utf8');
const printed = JSON.parse(/```json\n(.*?)```/s.exec(guide)?.[1] ?? '');
const files = {
  ...{ stretches, waits, queue, resuming },
  'docs/senders.md': { vectors: [printed] },
} as unknown as Readonly<Record<string, { vectors: readonly Vector[] }>>;

beforeEach(() => {
  const toFake = ['Date', 'performance', 'setTimeout', 'clearTimeout'] as const;
  vi.useFakeTimers({ now: beganMs, toFake: [...toFake] });
  // Of what a server refuses, the tracker says so.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each([
  ['the sender of the client', createApp],
  ['the tracker', createPage],
])('%s', (_, createDevice) => {
  describe.each(Object.entries(files))('%s', (file, { vectors }) => {
    test.each(vectors)('$name', async ({ events, beacons }) => {
      const all = await play(events, createDevice);
      // The others are of whoever reports no waits.
      const sent = all.filter(({ wait }) => file === 'waits' || wait === undefined);
      const views = [...new Set(sent.map(({ view }) => view))];
      const seen = sent.map(({ sentMs, view, ...rest }, index) => {
        const { sentMs: wanted = 0, view: name } = beacons[index] ?? {};
        const [from, to] = typeof wanted === 'number' ? [wanted, wanted] : wanted;
        // An identity that is drawn by lot is known by its place.
        const identity = /^\d+$|-/.test(view) ? `view ${views.indexOf(view) + 1}` : view;
        return {
          ...{ sentMs: from <= sentMs && sentMs <= to ? wanted : sentMs, ...rest },
          ...(name !== undefined && { view: identity }),
        };
      });
      expect(seen).toEqual(beacons);
    });
  });
});

type Sent = Pick<Beacon, 'view' | 'wait'> & { readonly sentMs: number };

/** What all senders of a vector say alike. */
const compared = [
  ...['view', 'stretch', 'wait', 'at', 'position', 'playMs', 'mediaMs'],
  ...['waitMs', 'cause', 'outcome', 'error'],
];
type Post = (body: string) => Promise<Response>;

/** Plays the events; what has left by the end of the last. */
async function play(
  events: readonly VectorEvent[],
  createDevice: (post: Post) => Device,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  let answers: Partial<Answers> = {};
  const nowMs = () => performance.now();
  const pass = (untilMs: number) => vi.advanceTimersByTimeAsync(untilMs - nowMs());
  const post: Post = async (body) => {
    const { status = 200, aheadMs = 0, roundTripMs = 0, retryAfter, rejected = [] } = answers;
    const { by = 'server' } = answers;
    for (const beacon of JSON.parse(body).beacons) {
      const said = Object.entries(beacon).filter(([name]) => compared.includes(name));
      sent.push({ sentMs: nowMs(), ...Object.fromEntries(said) } as Sent);
    }
    if (by === 'nobody') throw new TypeError('fetch failed');
    const serverTime = beganMs + nowMs() + aheadMs + roundTripMs / 2;
    if (roundTripMs) await new Promise((resolve) => setTimeout(resolve, roundTripMs));
    const headers = new Headers(by === 'server' ? { 'server-time': `${serverTime}` } : {});
    if (retryAfter !== undefined) headers.set('retry-after', retryAfter);
    return new Response(JSON.stringify({ rejected }), { status, headers });
  };
  const device = createDevice(post);
  const atRest = { playing: false, waiting: false, seeking: false };
  let player: Player = { ...atRest, positionSeconds: 0, rate: 1, live: false };

  for (const { ms, event, ...more } of events) {
    await pass(ms);
    const { untilMs = ms, to = 0 } = more;
    if (event === 'answers') answers = more.answers ?? {};
    else if (event === 'date') vi.setSystemTime(Date.now() + (more.byMs ?? 0));
    else if (event === 'online') device.online();
    else if (event === 'background') device.background(player);
    else if (event === 'kill') vi.clearAllTimers();
    else if (event === 'start') {
      player = { ...atRest, positionSeconds: 0, rate: 1, live: more.live ?? false };
      device.start(player, more.view);
    } else if (event === 'advance' || event === 'stand') {
      while (nowMs() < untilMs) {
        await pass(nowMs() + lookMs);
        if (event === 'advance') player.positionSeconds += (player.rate * lookMs) / 1000;
        device.tell('timeupdate', player);
      }
    } else if (event !== 'pass') {
      if (event !== 'ratechange') {
        player.playing = event === 'playing';
        player.waiting = /play$|waiting|seeking/.test(event);
        player.seeking = event === 'seeking';
        player.error = more.error;
      }
      player.rate = more.rate ?? player.rate;
      device.tell(event, player, to);
      if (event === 'seeking') player.positionSeconds = to;
    }
    await pass(Math.max(untilMs, nowMs()));
  }
  return sent;
}

/** An app: all that it keeps is one text. */
function createApp(post: Post): Device {
  let kept: string | undefined;
  let sender: ReturnType<typeof createSender>;
  let view: ReturnType<typeof createView>;

  return {
    start(player, name) {
      const store = createTextStore(kept, (text) => {
        kept = text;
      });
      // From whatever beginning.
      const clock = { monotonicMs: () => performance.now() + 1e9, dateMs: () => Date.now() };
      sender = createSender({ post, store, clock, platform: {}, refused() {}, failed() {} });
      const identity = name ? { view: name, numbers: store.numbers } : { view: randomId() };
      view = createView(sender, { ...identity, videoKey: 'k' });
      view.look(player);
    },
    tell: (_, player) => view.look(player),
    background: (player) => view.look(player, true),
    online: () => sender.online(),
  };
}

const randomId = () => crypto.randomUUID();

/** A page: what a browser would be, as far as the tracker looks at it. */
function createPage(post: Post): Device {
  let media: FakeMedia;
  let window: EventTarget;
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => post(body));
  vi.stubGlobal('localStorage', webStorage(new Map()));
  vi.stubGlobal('sessionStorage', {});
  vi.stubGlobal('MediaError', mediaErrors);
  vi.stubGlobal('location', new URL('https://example.org/'));
  vi.stubGlobal('document', { referrer: '', baseURI: 'https://example.org/' });

  return {
    start(player, view) {
      window = new EventTarget();
      vi.stubGlobal('window', window);
      media = new FakeMedia();
      media.show(player);
      if (player.live) media.duration = Number.POSITIVE_INFINITY;
      track(media as unknown as HTMLMediaElement, {
        url: 'https://media.example',
        videoKey: 'k',
        view,
      });
    },
    tell(event, player, to) {
      media.show(player);
      if (event === 'seeking') media.seek(to ?? 0);
      media.ended = event === 'ended';
      media.dispatchEvent(new Event(event));
    },
    background: () => window.dispatchEvent(new Event('visibilitychange')),
    online: () => window.dispatchEvent(new Event('online')),
  };
}

/** As a browser's own. */
const mediaErrors = { MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3 };

class FakeMedia extends EventTarget {
  currentTime = 0;
  duration = 600;
  playbackRate = 1;
  paused = true;
  seeking = false;
  ended = false;
  readyState = 4;
  currentSrc = 'https://example.org/film.mp4';
  played = ranges(0);
  error: unknown;

  show({ playing, waiting, error, positionSeconds, rate }: Player): void {
    this.paused = !(playing || waiting || error);
    this.error = error && { code: Object.keys(mediaErrors).indexOf(error) + 1 };
    this.seeking = false;
    this.playbackRate = rate;
    this.currentTime = positionSeconds;
  }

  /** Its position is at once where it goes to. */
  seek(to: number): void {
    this.paused = false;
    this.seeking = true;
    this.played = ranges(this.currentTime);
    this.currentTime = to;
  }

  closest(): null {
    return null;
  }

  getRootNode(): object {
    return {};
  }
}

function ranges(until: number): Pick<TimeRanges, 'length' | 'start' | 'end'> {
  return { length: 1, start: () => 0, end: () => until };
}
