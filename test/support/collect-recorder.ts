/**
 * The far end of a tracker, for tests of the tracker alone: keeps the largest time of every
 * stretch and wait, as the service does, and can be slow of mind, out of order, or hours off.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { startLocalServer } from './local-server.ts';

export interface RecordedWait {
  readonly view: string;
  readonly wait: number;
  readonly videoKey: string;
  readonly at: string;
  readonly waitMs: number;
  readonly cause: string;
  readonly outcome: string;
  readonly error?: string;
  readonly mediaHost?: string;
  readonly streamType?: string;
}

interface RecordedBeacon {
  readonly view: string;
  readonly mediaBits?: number;
  readonly frames?: number;
  readonly droppedFrames?: number;
  readonly streamType?: string;
  readonly mediaHost?: string;
  readonly stretch: number;
  readonly at: string;
  readonly playMs: number;
  readonly videoKey: string;
  readonly token?: string;
  readonly position?: number;
  readonly mediaMs: number;
  readonly viewer?: string;
  readonly page?: string;
  readonly referrer?: string;
  readonly player?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly arrivedMs: number;
  readonly contentType: string | undefined;
  readonly userAgent: string;
  readonly status: number;
  readonly beacons: readonly RecordedBeacon[];
}

/**
 * What it does with the requests from now on. `drop` closes the connection without an answer, and
 * `hang` leaves it open; `intercept` answers like a proxy in between, which the page may read, but
 * not as the service.
 */
type Behaviour =
  | { readonly kind: 'accept' }
  | { readonly kind: 'reject' }
  | { readonly kind: 'drop' | 'hang' }
  | { readonly kind: 'intercept'; readonly status: number }
  | { readonly kind: 'refuse'; readonly status: number; readonly retryAfterSeconds?: number };

export interface CollectRecorder {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The largest beacon of every stretch acknowledged, in the order of their numbers. */
  stretches(videoKey?: string): RecordedBeacon[];
  /** What was last told of each wait. */
  waits(): RecordedWait[];
  playMs(videoKey?: string): number;
  views(videoKey?: string): number;
  behave(behaviour: Behaviour): void;
  /** How far its clock is ahead; null leaves Server-Time out. */
  setSkewMs(skewMs: number | null): void;
  close(): Promise<void>;
}

export async function startCollectRecorder(): Promise<CollectRecorder> {
  const largest = new Map<string, RecordedBeacon>();
  const waits = new Map<string, RecordedWait>();
  const requests: RecordedRequest[] = [];
  let behaviour: Behaviour = { kind: 'accept' };
  let skewMs: number | null = 0;

  const server = await startLocalServer(async (request, response) => {
    const body = await bodyOf(request);
    const reports: (RecordedBeacon | RecordedWait)[] = body === '' ? [] : JSON.parse(body).beacons;
    const beacons = reports.filter((report) => 'stretch' in report);
    const isAnswered = behaviour.kind !== 'drop' && behaviour.kind !== 'hang';
    const status = 'status' in behaviour ? behaviour.status : 200;
    const { method = '', url = '', headers } = request;
    requests.push({
      method,
      url,
      arrivedMs: Date.now(),
      contentType: headers['content-type'],
      userAgent: headers['user-agent'] ?? '',
      status: isAnswered ? status : 0,
      beacons,
    });
    if (!isAnswered) {
      if (behaviour.kind === 'drop') request.socket.destroy();
      return;
    }
    if (behaviour.kind === 'intercept') {
      response.writeHead(status, { 'access-control-allow-origin': '*' }).end('<p>Not allowed');
      return;
    }
    if (behaviour.kind === 'accept') {
      for (const beacon of beacons) record(largest, beacon);
      for (const report of reports) {
        if ('wait' in report) waits.set(`${report.view} ${report.wait}`, report);
      }
    }
    answer(response, status, behaviour, skewMs, reports);
  });

  const stretches = (videoKey?: string) =>
    [...largest.values()]
      .filter((beacon) => videoKey === undefined || beacon.videoKey === videoKey)
      .sort((a, b) => a.view.localeCompare(b.view) || a.stretch - b.stretch);

  return {
    url: server.url,
    requests,
    stretches,
    waits: () => [...waits.values()],
    playMs: (videoKey) => stretches(videoKey).reduce((sum, { playMs }) => sum + playMs, 0),
    views: (videoKey) => new Set(stretches(videoKey).map(({ view }) => view)).size,
    behave(next) {
      behaviour = next;
    },
    setSkewMs(next) {
      skewMs = next;
    },
    close: server.close,
  };
}

function record(largest: Map<string, RecordedBeacon>, beacon: RecordedBeacon): void {
  const key = `${beacon.view} ${beacon.stretch}`;
  const held = largest.get(key);
  if (held) {
    if (!isDeepStrictEqual(saidAtFirst(held), saidAtFirst(beacon))) {
      throw new Error(`Reported differently: ${JSON.stringify([held, beacon])}`);
    }
  }
  if (!held || held.playMs < beacon.playMs) largest.set(key, beacon);
}

/** All but what grows while a stretch is played. */
function saidAtFirst(beacon: RecordedBeacon) {
  const { playMs, mediaMs, mediaBits, frames, droppedFrames, ...rest } = beacon;
  return rest;
}

function answer(
  response: ServerResponse,
  status: number,
  behaviour: Behaviour,
  skewMs: number | null,
  beacons: readonly unknown[],
): void {
  response.statusCode = status;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'Server-Time, Retry-After');
  response.setHeader('content-type', 'application/json');
  if (skewMs !== null) response.setHeader('server-time', String(Date.now() + skewMs));
  if (behaviour.kind === 'refuse' && behaviour.retryAfterSeconds !== undefined) {
    response.setHeader('retry-after', String(behaviour.retryAfterSeconds));
  }
  const rejected = beacons.map((_, index) => ({ index, code: 'VIDEO_UNKNOWN', detail: 'unknown' }));
  const refused = behaviour.kind === 'reject' ? rejected : [];
  response.end(JSON.stringify({ accepted: beacons.length - refused.length, rejected: refused }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
