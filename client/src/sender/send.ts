/** Sends one request, and reads of the answer what became of its beacons. */
import type { Beacon } from './beacon.ts';
import type { Clock } from './clock.ts';
import { listToJson } from './list-to-json.ts';
import type { ServerClock } from './server-clock.ts';

/** What a sender reads of the answer; `fetch` gives it. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** Why the server took the others of a request, and not this beacon. */
export interface Rejection {
  readonly code: string;
  readonly detail: string;
}

export interface Transport {
  /**
   * POSTs a JSON text to `/collect/v1/beacons`, and rejects where no answer comes within half a
   * minute.
   */
  post(body: string): Promise<Answer>;
  /** The server gave up on a beacon: a mistake in the set-up. */
  refused(beacon: Beacon, rejection: Rejection): void;
  /** No answer came, or none of the server's own. It is sent again. */
  failed(): void;
}

/**
 * Undefined once the beacons are done with: acknowledged, or refused by the server itself, as they
 * would be for ever. Otherwise for how long the server asks to be left alone.
 */
export async function send(
  transport: Transport,
  beacons: readonly Beacon[],
  serverClock: ServerClock,
  clock: Clock,
): Promise<number | undefined> {
  const retryAfterLimitMs = 3_600_000;
  let retryAfterMs = 0;
  try {
    const sentMs = clock.monotonicMs();
    const response = await transport.post(`{"beacons":${listToJson(beacons)}}`);
    const roundTripMs = clock.monotonicMs() - sentMs;
    const { status } = response;
    // Seconds. For a date, which RFC 9110 allows too, the growing pauses have to do.
    retryAfterMs = Math.min(
      +(response.headers.get('retry-after') as string) * 1000 || 0,
      retryAfterLimitMs,
    );
    // The mark of the server's own answers. One of a proxy or a firewall in between refuses nothing.
    const serverTime = response.headers.get('server-time');
    if (status === 200) {
      const said = (await response.json()) as {
        rejected: readonly ({ readonly index: number } & Rejection)[];
      };
      for (const one of said.rejected) transport.refused(beacons[one.index] as Beacon, one);
    } else if (!serverTime) throw status;
    serverClock.learn(+(serverTime as string), roundTripMs);
    if (status !== 429 && status < 500) return;
  } catch {
    transport.failed();
  }
  return retryAfterMs;
}
