/** The facts in ClickHouse, whichever server it is: the one adapter. */
import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  createClient,
  type InsertParams,
} from '@clickhouse/client';
import { Fault } from '../wire/faults.ts';
import type { FactQuery } from './facts.ts';
import { migrations } from './migrations.ts';

/** An insert that took longer counts as failed; the roll-up looks back over more than this. */
export const writeTimeoutMs = 10_000;
const readTimeoutSeconds = 20;
const rollUpTimeoutSeconds = 110;

export interface FactStoreAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/** The values of a row, in the order of the table's columns. */
export type Row = readonly (string | number)[];
type Columns = readonly string[];

export interface FactStore {
  migrate(): Promise<void>;
  /** The rows hold all columns of the table, in order. */
  insertRows(table: string, rows: readonly Row[]): Promise<void>;
  /** Rows in the form TabSeparated; without `columns` they hold all of the table's, in order. */
  insertText(table: string, rows: Buffer, columns?: Columns): Promise<void>;
  select<Answer>(query: FactQuery): Promise<Answer[]>;
  /** Runs a statement that answers no rows, such as the roll-up's INSERT ... SELECT. */
  command(query: FactQuery): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function openFactStore(access: FactStoreAccess): FactStore {
  const { database, ...server } = access;
  const options = {
    ...server,
    request_timeout: rollUpTimeoutSeconds * 1_000,
    max_open_connections: 32,
    // Whoever asked logs what went wrong.
    log: { level: ClickHouseLogLevel.OFF },
    // Keeps the connection of a long roll-up alive through proxies.
    clickhouse_settings: {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
    },
  } as const;
  const bare = createClient(options);
  const client = createClient({ ...options, database });
  return {
    async migrate() {
      await bare.command({
        query: 'CREATE DATABASE IF NOT EXISTS {database:Identifier}',
        query_params: { database },
      });
      for (const { statements } of migrations) {
        for (const statement of statements) await client.command({ query: statement });
      }
    },
    insertRows: (table, values) => insert(client, { table, values, format: 'JSONCompactEachRow' }),
    insertText: (table, rows, columns) =>
      insert(client, {
        table,
        values: Readable.from([rows], { objectMode: false }),
        format: 'TabSeparated',
        ...(columns ? { columns: [...columns] as [string, ...string[]] } : {}),
      }),
    select<Answer>({ sql, parameters }: FactQuery) {
      const asked = client.query({
        query: sql,
        query_params: parameters,
        format: 'JSON',
        clickhouse_settings: {
          max_execution_time: readTimeoutSeconds,
          output_format_json_quote_64bit_integers: 0,
          readonly: '1',
        },
      });
      // Also an answer that breaks off in the midst is none.
      return reach(asked.then(async (answer) => (await answer.json<Answer>()).data));
    },
    async command({ sql, parameters }) {
      await reach(
        client.command({
          query: sql,
          query_params: parameters,
          clickhouse_settings: { max_execution_time: rollUpTimeoutSeconds },
        }),
      );
    },
    async ping() {
      const answer = await bare.ping();
      if (!answer.success) throw unavailable(answer.error);
    },
    async close() {
      await Promise.all([client.close(), bare.close()]);
    },
  };
}

async function insert(client: ClickHouseClient, rows: InsertParams<Readable, Row>): Promise<void> {
  await reach(
    client.insert({
      ...rows,
      abort_signal: AbortSignal.timeout(writeTimeoutMs),
      clickhouse_settings: {
        max_execution_time: writeTimeoutMs / 1_000,
        // History may hold many years; the limit is meant for tables cut finer than ours.
        max_partitions_per_insert_block: '0',
      },
    }),
  );
}

/** Whatever goes wrong at the store is one fault to us: it may work later, so try again. */
async function reach<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): Fault {
  return new Fault('UNAVAILABLE', 'The statistics store does not answer', {
    retryAfterSeconds: 1,
    cause,
  });
}
