/** Stands between pages and the real service, and keeps what beacons say. */
import { startLocalServer } from '../support/local-server.ts';

export interface ReportedStretch {
  readonly view: string;
  readonly stretch: number;
  readonly at: string;
  readonly playMs: number;
  readonly position: number;
  readonly mediaMs: number;
  readonly viewer?: string;
  readonly player?: string;
  readonly page?: string;
  readonly referrer?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface RecordingProxy {
  readonly url: string;
  /** All beacons as they came. */
  readonly beacons: readonly ReportedStretch[];
  /** What the service refused. */
  readonly rejected: readonly unknown[];
  /** The last beacon of every stretch. */
  stretches(): ReportedStretch[];
  close(): Promise<void>;
}

export async function startRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const beacons: ReportedStretch[] = [];
  const rejected: unknown[] = [];
  const stretches = new Map<string, ReportedStretch>();

  const server = await startLocalServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { 'user-agent': userAgent = '', 'content-type': contentType = '' } = request.headers;
    const answer = await fetch(serviceUrl + request.url, {
      method: request.method ?? 'GET',
      // A page that is left sends as what the browser is, which counts as a bot.
      headers: { 'user-agent': userAgent.replace('Headless', ''), 'content-type': contentType },
      body,
    });
    const text = await answer.text();
    rejected.push(...JSON.parse(text).rejected);
    for (const beacon of JSON.parse(body).beacons as ReportedStretch[]) {
      beacons.push(beacon);
      const key = `${beacon.view} ${beacon.stretch}`;
      const held = stretches.get(key);
      if (!held || held.playMs < beacon.playMs) stretches.set(key, beacon);
    }
    response.writeHead(answer.status, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Server-Time',
      'server-time': answer.headers.get('server-time') ?? '',
    });
    response.end(text);
  });

  return {
    url: server.url,
    beacons,
    rejected,
    stretches: () => [...stretches.values()],
    close: server.close,
  };
}
