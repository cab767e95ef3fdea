/** The one place that speaks to the server. Text, so that no preflight is needed. */
import type { Beacon } from './beacon.ts';

export interface Answer {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Milliseconds since the epoch, NaN where not told. */
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
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify({ beacons }),
      keepalive: true,
      credentials: 'omit',
      signal: abort.signal,
    });
    const roundTripMs = performance.now() - sentMs;
    const { status, headers } = response;
    const serverTimeMs = Number(headers.get('server-time') ?? Number.NaN);
    return {
      status,
      serverTimeMs,
      roundTripMs,
      retryAfterMs: retryAfterMsOf(headers.get('retry-after'), serverTimeMs || Date.now()),
      rejected: status === 200 ? ((await response.json()).rejected ?? []) : [],
    };
  } catch {
    return { status: 0, serverTimeMs: Number.NaN, roundTripMs: 0, retryAfterMs: 0, rejected: [] };
  } finally {
    clearTimeout(timer);
  }
}

/** RFC 9110, 10.2.3: seconds, or a date (of the server's clock). */
export function retryAfterMsOf(text: string | null, nowMs: number): number {
  const waitMs = Number(text) * 1000 || Date.parse(text ?? '') - nowMs || 0;
  return Math.min(Math.max(waitMs, 0), retryAfterLimitMs);
}
