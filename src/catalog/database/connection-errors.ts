/** Whether a PostgreSQL server answers at all: it is asked for a new connection. */
import { Socket } from 'node:net';
import pg from 'pg';
import { type Clock, sleep } from '../../lib/time/clock.ts';

const stepMs = 250;

interface Asking {
  readonly clock: Clock;
  readonly withinMs: number;
  readonly unneeded: AbortSignal;
}

/** Undefined if the server answers, which it also does if it refuses. */
export async function whyNotConnected(
  connectionString: string,
  { clock, withinMs, unneeded }: Asking,
): Promise<Error | undefined> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString, stream: () => socket });
  client.on('error', () => {});
  const ended = new AbortController();
  const asked = client.connect().then(
    () => undefined,
    (cause) => (cause instanceof pg.DatabaseError ? undefined : failed('fails', cause)),
  );
  const signal = AbortSignal.any([ended.signal, unneeded]);
  const late = untilLate(clock, withinMs, signal).then(() =>
    failed(`is not answered within ${withinMs} ms`),
  );
  const reason = await Promise.race([asked, late]);
  ended.abort();
  // One that is answered is ended in order; one that hangs would keep its socket.
  if (reason === undefined) void client.end();
  else socket.destroy();
  return reason;
}

function failed(how: string, cause?: unknown): Error {
  return new Error(`a new connection ${how}`, { cause });
}

/**
 * In steps, of which those that are late themselves do not count: a machine on which this process
 * stands still leaves no time to the server either.
 */
async function untilLate(clock: Clock, withinMs: number, signal: AbortSignal): Promise<void> {
  for (let leftMs = withinMs; leftMs > 0 && !signal.aborted; ) {
    const beganAtMs = clock.monotonic();
    await sleep(clock, stepMs, signal);
    if (clock.monotonic() - beganAtMs < 1.5 * stepMs) leftMs -= stepMs;
  }
}
