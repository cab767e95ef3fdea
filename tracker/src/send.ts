/** The one place that speaks to the server. Text, so that no preflight is needed. */
import type { Beacon } from './beacon.ts';
import { listToJson } from './list-to-json.ts';
import type { ServerClock } from './server-clock.ts';
import { warn } from './warn.ts';

/**
 * Undefined once the beacons are done with: acknowledged, or refused by the server itself, as they
 * would be for ever. Otherwise for how long the server asks to be left alone.
 */
export async function send(
  endpoint: string,
  beacons: readonly Beacon[],
  clock: ServerClock,
): Promise<number | undefined> {
  const answerLimitMs = 30_000;
  const retryAfterLimitMs = 3_600_000;
  let retryAfterMs = 0;
  try {
    const sentMs = performance.now();
    // A text is sent as text/plain.
    const response = await fetch(endpoint, {
      method: 'POST',
      body: `{"beacons":${listToJson(beacons)}}`,
      keepalive: true,
      credentials: 'omit',
      signal: 'timeout' in AbortSignal ? AbortSignal.timeout(answerLimitMs) : null,
    });
    const roundTripMs = performance.now() - sentMs;
    const { status, headers } = response;
    // Seconds. For a date, which RFC 9110 allows too, the growing pauses have to do.
    retryAfterMs = Math.min(Number(headers.get('retry-after')) * 1000 || 0, retryAfterLimitMs);
    // The mark of the server's own answers. One of a proxy or a firewall in between refuses nothing.
    const serverTime = headers.get('server-time');
    if (status === 200) {
      const { rejected } = await response.json();
      for (const { index, code, detail } of rejected) {
        warn(`${(beacons[index] as Beacon).videoKey} refused: ${code}, ${detail}`);
      }
    } else if (!serverTime) throw status;
    clock.learn(Number(serverTime), roundTripMs);
    if (status !== 429 && status < 500) return;
  } catch {
    // No answer, or none of ours. Without a network that is no mistake.
    if (navigator.onLine) warn(`${endpoint} fails: check URL, connect-src, blockers`);
  }
  return retryAfterMs;
}
