import { Socket } from 'node:net';
import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { assert } from '../../lib/assert.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { type ServerWatch, watchServer } from './server-watch.ts';
import { answersWithinMs, catalogAway } from './statement-deadline.ts';

const connectionLimit = 10;
const statementTimeoutMs = 30_000;
/**
 * Statements of a transaction follow each other at once. A process that stands still between two of
 * them would keep its locks, and everybody who waits for them, until it goes on.
 */
const transactionIdlesMs = 10_000;
/** The server ends a statement before, unless it has moved, and the connection leads nowhere. */
const hangsAfterMs = statementTimeoutMs + answersWithinMs;
/** How long a new connection may take to be answered, however busy the server is. */
const connectsWithinMs = 1_250;
/** Beside a migration, which nobody waits for, and which would begin anew. */
const connectsAtLengthMs = 10_000;

/** Ends waits for a server that hangs. */
interface StatementBound {
  readonly clock: Clock;
  /** Whether statements are bounded already. */
  isSet(): boolean;
}

export function postgresDialect(databaseUrl: string, bound: StatementBound): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connectionLimit,
    connectionTimeoutMillis: answersWithinMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: transactionIdlesMs,
    // Compiling a statement takes longer than any of ours runs. Memory: otherwise what the search
    // index finds would be kept by pages, and every row on them be cut into tokens again. Workers:
    // with more than one, two cores are kept busier by handing rows over than by finding them.
    options: '-c jit=off -c work_mem=64MB -c max_parallel_workers_per_gather=1',
    types: { getTypeParser: findParser },
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the
  // process.
  pool.on('error', () => {});
  // One that breaks while in use emits this too, besides failing its query.
  pool.on('connect', (client) => client.on('error', () => {}));
  const { clock } = bound;
  const whySilent = (unneeded: AbortSignal) => {
    const withinMs = bound.isSet() ? connectsWithinMs : connectsAtLengthMs;
    return whyNotConnected(databaseUrl, { clock, withinMs, unneeded });
  };
  const watch = watchServer({ clock, whySilent });
  return new PostgresDialect({ pool: faultingPool(pool, watch, bound) });
}

/** 64-bit integers arrive as text by default, so that none is rounded; ours are below 2^53. */
function findParser(type: number, format?: string) {
  if (type === pg.types.builtins.INT8 && format !== 'binary') return exactNumber;
  return pg.types.getTypeParser(type, format as 'text');
}

function exactNumber(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `an integer of the catalog is exact: ${text}`);
  return value;
}

/** Kysely's view of the pool; losing the server becomes a fault. */
function faultingPool(pool: pg.Pool, watch: ServerWatch, bound: StatementBound): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const reason = watch.whySilent();
      if (reason) throw catalogAway(reason);
      const connecting = pool.connect();
      // It comes when nobody waits for it any more.
      const giveUp = () => void connecting.then((late) => late.release()).catch(() => {});
      const client = await watch.whileItAnswers(connecting, { giveUp }).catch(throwAsFault);
      // Kysely recognises a connection by its object: give it the same one each time.
      const known = clients.get(client) ?? faultingClient(client, watch, bound);
      clients.set(client, known);
      return known;
    },
  };
}

function faultingClient(
  client: pg.PoolClient,
  watch: ServerWatch,
  bound: StatementBound,
): PostgresPoolClient {
  // The connection would be handed to the next one, to wait for the same answer.
  const giveUp = () => void client.end();
  return {
    // biome-ignore lint/suspicious/noExplicitAny: Kysely's overloads say less than pg's.
    query(text: unknown, values?: unknown): any {
      // biome-ignore lint/suspicious/noExplicitAny: the same.
      const answer = (client.query as any)(text, values);
      void answer.then(watch.noteAnswer, () => {});
      const within = bound.isSet() ? { withinMs: hangsAfterMs } : {};
      return watch.whileItAnswers(answer, { giveUp, ...within }).catch(throwAsFault);
    },
    release: (destroy?: boolean) => client.release(destroy),
  };
}

/**
 * SQLSTATE classes that do not concern the statement: connection, deadlock, resources, operator,
 * system.
 */
const outsideClasses = new Set(['08', '40', '53', '57', '58']);
/** This process stood still within a transaction, which the server has ended. */
const stoodStill = '25P03';

function throwAsFault(error: unknown): never {
  // An error that does not come from the server is a connection error.
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : undefined;
  const isOutside =
    code === undefined || code === stoodStill || outsideClasses.has(code.slice(0, 2));
  if (!isOutside) throw error;
  throw catalogAway(error);
}

const stepMs = 250;

interface Asking {
  readonly clock: Clock;
  readonly withinMs: number;
  readonly unneeded: AbortSignal;
}

/**
 * Why the server does not answer at all: it is asked for a new connection. Undefined if it answers,
 * which it also does if it refuses.
 */
async function whyNotConnected(
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
