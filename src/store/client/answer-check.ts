/**
 * Checks whether a server answers: a statement to one that hangs would wait for its whole time
 * limit.
 */
import { ClickHouseError } from '@clickhouse/client';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { FactStore } from './store-client.ts';

const answersWithinMs = 10_000;

interface NamedServer {
  readonly name: string;
  /** In no database: works while there is none. */
  readonly bare: Pick<FactStore, 'select'>;
}

/** A server that refuses has answered. */
export async function requireAnswer(
  { bare }: Pick<NamedServer, 'bare'>,
  signal: AbortSignal,
): Promise<void> {
  const question = { name: 'look whether the server answers', sql: 'SELECT 1', parameters: {} };
  // Asked often, and of no interest to the operator.
  const options = { timeoutSeconds: 5, settings: { log_queries: 0 }, signal };
  await bare.select(question, options).catch((error) => {
    if (!(error instanceof Fault && error.cause instanceof ClickHouseError)) throw error;
  });
}

/** Rejects with UNAVAILABLE if one of them is away, or says nothing. */
export async function requireAllAnswer(
  servers: readonly NamedServer[],
  clock: Clock,
): Promise<void> {
  const late = new AbortController();
  const cancel = clock.after(answersWithinMs, () => late.abort());
  const asked = servers.map((server) =>
    requireAnswer(server, late.signal).catch((error) => {
      if (!late.signal.aborted) throw error;
      const reason = `${server.name}: no answer within ${answersWithinMs} ms`;
      throw new Fault('UNAVAILABLE', `The statistics store is not ready: ${reason}`);
    }),
  );
  await Promise.all(asked).finally(cancel);
}
