/** Sends requests as a stranger would: without a key, from an address of its own, as fast as it can. */
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Target } from './target.ts';

/** A browser on a system that no bystander has, so that answers show who was counted. */
export const strangersAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36';
export const strangersSystem = 'Windows';

const answerWithinMs = 90_000;

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface Answered {
  /** 0 where no answer came. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly afterMs: number;
}

export interface Stranger {
  send(sent: Sent): Promise<Answered>;
  /** Beacons without a key, in one request. */
  report(beacons: readonly object[]): Promise<Answered>;
  close(): void;
}

interface StrangerOptions {
  /** IP address of this machine that the requests come from. */
  readonly address: string;
  readonly connections?: number;
  /** Another port than the service's: that of a proxy before it. */
  readonly port?: number;
}

export function stranger(target: Pick<Target, 'port'>, options: StrangerOptions): Stranger {
  const { address: localAddress, connections = 50, port = target.port } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = ({ method = 'GET', path, headers = {}, body }: Sent): Promise<Answered> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const answered = (status: number, response?: IncomingMessage, text = '') =>
        resolve({
          status,
          headers: response?.headers ?? {},
          text,
          afterMs: performance.now() - startedAt,
        });
      const real = { 'user-agent': strangersAgent, ...headers };
      const to = { host: '127.0.0.1', port, localAddress, agent, timeout: answerWithinMs };
      const sending = request({ ...to, method, path, headers: real }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => answered(0));
        response.on('end', () =>
          answered(response.statusCode ?? 0, response, Buffer.concat(chunks).toString()),
        );
      });
      sending.on('timeout', () => sending.destroy());
      sending.on('error', () => answered(0));
      sending.end(body);
    });
  return {
    send,
    report: (beacons) =>
      send({
        method: 'POST',
        path: '/collect/v1/beacons',
        headers: { 'content-type': 'text/plain' },
        body: JSON.stringify({ beacons }),
      }),
    close: () => agent.destroy(),
  };
}

/** A new view of so much time, which has just ended. */
export function madeUpBeacon(videoKey: string, playMs: number): Record<string, unknown> {
  const at = new Date(Date.now() - playMs).toISOString();
  return { view: randomUUID(), stretch: 0, at, playMs, videoKey };
}

/** How often each status came, as text. */
export function statusesOf(answers: readonly Pick<Answered, 'status'>[]): Record<string, number> {
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}

/** How many beacons or events were accepted, as the answers say. */
export function acceptedOf(answers: readonly Answered[]): number {
  return answers
    .filter(({ status }) => status === 200)
    .reduce((sum, { text }) => sum + JSON.parse(text).accepted, 0);
}

/** Sends all, so many at once. */
export async function all<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  send: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) {
      results.push(await send(next.value));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
