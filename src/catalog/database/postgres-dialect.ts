import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { assert } from '../../lib/assert.ts';
import { Fault } from '../../wire/faults.ts';

const connectionLimit = 10;
const connectTimeoutMs = 5_000;
const statementTimeoutMs = 30_000;

export function postgresDialect(databaseUrl: string): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connectionLimit,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // Compiling a statement takes longer than any of ours runs. Memory: otherwise what the search
    // index finds would be kept by pages, and every row on them be cut into tokens again. Workers:
    // with more than one, two cores are kept busier by handing rows over than by finding them.
    options: '-c jit=off -c work_mem=64MB -c max_parallel_workers_per_gather=1',
    types: { getTypeParser: parserOf },
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the
  // process.
  pool.on('error', () => {});
  // One that breaks while in use emits this too, besides failing its query.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool: faultingPool(pool) });
}

/** 64-bit integers arrive as text by default, so that none is rounded; ours are below 2^53. */
function parserOf(type: number, format?: string) {
  if (type === pg.types.builtins.INT8 && format !== 'binary') return exactNumber;
  return pg.types.getTypeParser(type, format as 'text');
}

function exactNumber(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `an integer of the catalog is exact: ${text}`);
  return value;
}

/** Kysely's view of the pool; losing the server becomes a fault. */
function faultingPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(throwAsFault);
      // Kysely recognises a connection by its object: give it the same one each time.
      const known = clients.get(client) ?? faultingClient(client);
      clients.set(client, known);
      return known;
    },
  };
}

function faultingClient(client: pg.PoolClient): PostgresPoolClient {
  return {
    query: (text: unknown, values?: unknown) =>
      // biome-ignore lint/suspicious/noExplicitAny: Kysely's overloads say less than pg's.
      (client.query as any)(text, values).catch(throwAsFault),
    release: (destroy?: boolean) => client.release(destroy),
  };
}

/**
 * SQLSTATE classes that do not concern the statement: connection, deadlock, resources, operator,
 * system.
 */
const outsideClasses = new Set(['08', '40', '53', '57', '58']);

function throwAsFault(error: unknown): never {
  // An error that does not come from the server is a connection error.
  const isOutside =
    !(error instanceof pg.DatabaseError) || outsideClasses.has(error.code?.slice(0, 2) ?? '');
  if (!isOutside) throw error;
  throw new Fault('UNAVAILABLE', 'The catalog is not available at the moment', {
    retryAfterSeconds: 1,
    cause: error,
  });
}
