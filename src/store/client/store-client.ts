/** The facts in ClickHouse, bundled or configured: the only adapter. */
import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type InsertParams,
  type Row,
} from '@clickhouse/client';
import type { FactQuery, RowFormat, WrittenRows } from '../facts.ts';
import type { HostPatience } from './host-watch.ts';
import { type FailureKind, faultOfStore, kindOfFailure } from './store-failure.ts';
import { writtenRows } from './written-rows.ts';

/** An insert that takes longer counts as failed; the roll-up looks back further than this. */
export const writeTimeoutMs = 10_000;
const readTimeoutSeconds = 20;
const commandTimeoutSeconds = 110;

/** A single server. */
export interface FactStoreAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** How soon it is noticed that it hangs; without it somebody else watches it. */
  readonly patience?: HostPatience;
}

/** Of a server that is watched, or one of many. */
export interface ServerOptions {
  /** In force for every statement. */
  readonly settings?: ClickHouseSettings;
  readonly insertSettings?: () => ClickHouseSettings;
  /** Ends statements that wait for an answer. */
  readonly signal?: () => AbortSignal;
}

/** A row: its values, in the order of the table's columns. */
type RowValues = readonly (string | number)[];
type Columns = readonly string[];

/** Called for every failed statement, with its name. */
export type NoteFailure = (statement: string, kind: FailureKind, cause: unknown) => void;

/** Called for every statement that succeeded, with the time that it took. */
export type NoteDone = (statement: string, seconds: number) => void;

/** Who learns of statements, by their names. */
export interface StatementWatch {
  readonly noteFailure?: NoteFailure | undefined;
  readonly noteDone?: NoteDone | undefined;
}

interface SelectOptions {
  readonly timeoutSeconds?: number;
  readonly settings?: Readonly<Record<string, number>>;
  /** Ends the waiting for this answer. */
  readonly signal?: AbortSignal;
}

export interface FactStore {
  /** Creates the database if it is missing. */
  createDatabase(): Promise<void>;
  /** The rows have all columns of the table, in order. */
  insertRows(table: string, rows: readonly RowValues[]): Promise<void>;
  /** Rows in the format TabSeparated. Columns that are not named get the table's defaults. */
  insertText(table: string, rows: Buffer, columns: Columns): Promise<void>;
  select<Answer>(query: FactQuery, options?: SelectOptions): Promise<Answer[]>;
  /** Reads facts in portions, merged within each partition alone: for many rows of many facts. */
  selectMany<Answer>(query: FactQuery): Promise<Answer[]>;
  /** See FactReader. */
  write(query: FactQuery, format: RowFormat, signal: AbortSignal): Promise<WrittenRows>;
  /** Runs a statement without a result, such as the roll-up's INSERT ... SELECT. */
  command(query: FactQuery, timeoutSeconds?: number): Promise<void>;
  /**
   * Works with the tables where their rows are, one server after the other: for what a table over
   * all shards does not take, such as ALTER TABLE. A single server is the only one.
   */
  onEachServer<Answer>(work: (server: OneServer) => Promise<Answer>): Promise<Answer[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A store whose servers may be away, and whose tables may not be there yet. */
export interface OpenedStore {
  readonly store: FactStore;
  /** Why no server answers; undefined while one does, or if only a statement can find out. */
  whyNotReady(): string | undefined;
  /**
   * Brings the tables up to this release; rejects like `migrate`. With `leavesAsFound` those of an
   * earlier release are refused instead, with CONFLICT.
   */
  prepare(leavesAsFound: boolean): Promise<void>;
  /** Whether a statement sees a table as of one moment, however often it reads it. */
  readsAsOfOneMoment(): boolean;
  /** By how much the clocks may differ that stamp arrivals, beyond which it complains. */
  readonly coveredSkewMs: number;
  /** How far apart they are now; undefined of a single server. */
  measureSkewMs(): Promise<number | undefined>;
}

export type OneServer = Pick<FactStore, 'select' | 'command'>;

export function openFactStore(
  access: FactStoreAccess,
  watch: StatementWatch = {},
  ofMany: ServerOptions = {},
): FactStore {
  const { url, username, password, database } = access;
  const options = {
    ...{ url, username, password },
    request_timeout: commandTimeoutSeconds * 1_000,
    max_open_connections: 32,
    // Long lists of parameters of a SELECT go into the body of the request.
    use_multipart_params_auto: true,
    // The caller logs the error.
    log: { level: ClickHouseLogLevel.OFF },
    // Keeps the connection of a long roll-up alive through proxies.
    clickhouse_settings: {
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
      // Before release 25.11 a statement that fails midway ends as valid JSON, with some rows.
      http_write_exception_in_output_format: 0,
      ...ofMany.settings,
    },
  } as const;
  const bare = createClient(options);
  const client = createClient({ ...options, database });
  const reach = reaching(watch);
  const insert = async (rows: InsertParams<Readable, RowValues>): Promise<void> => {
    const abort_signal = AbortSignal.timeout(writeTimeoutMs);
    const clickhouse_settings = { ...insertSettings, ...ofMany.insertSettings?.() };
    const inserted = client.insert({ ...rows, abort_signal, clickhouse_settings });
    await reach(`insert into ${rows.table}`, inserted);
  };
  const ending = (signal = ofMany.signal?.()) => (signal ? { abort_signal: signal } : {});
  const store: FactStore = {
    async createDatabase() {
      const query = 'CREATE DATABASE IF NOT EXISTS {database:Identifier}';
      const made = bare.command({ query, query_params: { database } });
      await reach('create database', made);
    },
    async insertRows(table, values) {
      await insert({ table, values, format: 'JSONCompactEachRow' });
    },
    async insertText(table, rows, columns) {
      await insert({
        table,
        values: Readable.from([rows], { objectMode: false }),
        format: 'TabSeparated',
        columns: [...columns] as [string, ...string[]],
      });
    },
    select: <Answer>(query: FactQuery, { signal, ...options }: SelectOptions = {}) =>
      reach(query.name, readRows<Answer>(client, query, { ...options, ...ending(signal) })),
    selectMany: <Answer>(query: FactQuery) =>
      reach(query.name, readManyRows<Answer>(client, query, ending())),
    write: (query, format, signal) =>
      reach(query.name, writtenRows(access, query, { format, signal, more: ofMany.settings })),
    async command({ name, sql, parameters }, timeoutSeconds = commandTimeoutSeconds) {
      const clickhouse_settings = { max_execution_time: timeoutSeconds };
      await reach(
        name,
        client.command({ query: sql, query_params: parameters, clickhouse_settings, ...ending() }),
      );
    },
    onEachServer: async (work) => [await work(store)],
    async ping() {
      const answer = await bare.ping({ select: true });
      if (!answer.success) await reach('ping', Promise.reject(answer.error));
    },
    async close() {
      await Promise.all([client.close(), bare.close()]);
    },
  };
  return store;
}

/** Nobody waits for the answer once whoever asked is gone. */
const readOnly = { readonly: '1', cancel_http_readonly_queries_on_client_close: 1 } as const;

const inOrder = { optimize_aggregation_in_order: 1 } as const;

/**
 * A costly statement stands still while others of questions run, though for each block that it
 * reads no longer than this. Statements of which it is not known take no part.
 */
const priorityOf = (isCostly: boolean | undefined) =>
  isCostly !== undefined && {
    priority: isCostly ? '2' : '1',
    low_priority_query_wait_time_ms: '100',
  };

type Ending = { readonly abort_signal?: AbortSignal };

/** A truncated answer counts as none. */
async function readRows<Answer>(
  client: ClickHouseClient,
  { sql, parameters, groupsBySlot, isCostly }: FactQuery,
  {
    timeoutSeconds = readTimeoutSeconds,
    settings = {},
    ...ending
  }: Omit<SelectOptions, 'signal'> & Ending,
): Promise<Answer[]> {
  const answer = await client.query({
    ...ending,
    query: sql,
    query_params: parameters,
    format: 'JSON',
    clickhouse_settings: {
      ...settings,
      max_execution_time: timeoutSeconds,
      output_format_json_quote_64bit_integers: 0,
      ...(groupsBySlot && inOrder),
      ...priorityOf(isCostly),
      ...readOnly,
    },
  });
  return (await answer.json<Answer>()).data;
}

/**
 * As a stream that breaks off if the statement fails. TRICKY: no `wait_end_of_query`: the store
 * would put the answer on its disk first, and if that is full, give an empty answer with status
 * 200.
 */
async function readManyRows<Answer>(
  client: ClickHouseClient,
  { sql, parameters, groupsBySlot, isCostly }: FactQuery,
  ending: Ending,
): Promise<Answer[]> {
  const answer = await client.query({
    ...ending,
    query: sql,
    query_params: parameters,
    format: 'JSONEachRow',
    clickhouse_settings: {
      max_execution_time: readTimeoutSeconds,
      output_format_json_quote_64bit_integers: 0,
      // A fact and all rows of it are in one partition.
      do_not_merge_across_partitions_select_final: 1,
      ...(groupsBySlot && inOrder),
      ...priorityOf(isCostly),
      ...readOnly,
    },
  });
  const rows: Answer[] = [];
  for await (const portion of answer.stream<Answer>()) {
    for (const row of portion as Row<Answer>[]) rows.push(row.json());
  }
  return rows;
}

const insertSettings = {
  max_execution_time: writeTimeoutMs / 1_000,
  // History may cover many years; the limit is meant for tables with finer partitions.
  max_partitions_per_insert_block: '0',
} as const;

/** Every error of the store becomes a fault, reported under the statement's name. */
function reaching({ noteFailure, noteDone }: StatementWatch) {
  return async <Answer>(statement: string, request: Promise<Answer>): Promise<Answer> => {
    const beganMs = performance.now();
    try {
      const answer = await request;
      noteDone?.(statement, (performance.now() - beganMs) / 1_000);
      return answer;
    } catch (cause) {
      noteFailure?.(statement, kindOfFailure(cause), cause);
      throw faultOfStore(cause);
    }
  };
}
