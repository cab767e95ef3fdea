/** The one place that speaks to the server. Text, so that no preflight is needed. */
import type { Beacon } from './beacon.ts';

export interface Answer {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Milliseconds since the epoch, NaN where the answer lacks it. */
  readonly serverTimeMs: number;
  readonly roundTripMs: number;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number;
  readonly rejected: readonly unknown[];
}

const answerLimitMs = 30_000;
const retryAfterLimitMs = 3_600_000;

export async function send(endpoint: string, beacons: readonly Beacon[]): Promise<Answer> {
  const sentMs = performance.now();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), answerLimitMs);
  let status = 0;
  let serverTimeMs = 0;
  let roundTripMs = 0;
  let retryAfterMs = 0;
  let rejected: readonly unknown[] = [];
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ beacons }),
      keepalive: true,
      credentials: 'omit',
      signal: abort.signal,
    });
    roundTripMs = performance.now() - sentMs;
    const { headers } = response;
    serverTimeMs = Number(headers.get('server-time'));
    retryAfterMs = retryAfterMsOf(headers.get('retry-after'));
    if (response.status === 200) rejected = (await response.json()).rejected || [];
    status = response.status;
  } catch {
    // No answer, or none of ours: status 0.
  }
  clearTimeout(timer);
  return { status, serverTimeMs, roundTripMs, retryAfterMs, rejected };
}

/** Seconds. For a date, which RFC 9110 allows too, the tracker's own growing pauses have to do. */
export function retryAfterMsOf(text: string | null): number {
  return Math.min(Number(text) * 1000 || 0, retryAfterLimitMs);
}
