/**
 * A store whose disk is full sends less than it has made, or nothing, and still reports success. So
 * each file is checked against the number of rows that the store reported.
 */

import { randomUUID } from 'node:crypto';
import { pipeline, Readable, Transform, type TransformCallback } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ClickHouseError } from '@clickhouse/client';
import { assert } from '../../lib/assert.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { FactQuery, RowFormat, WrittenRows } from '../facts.ts';

const lineEnd = 0x0a;
const quote = 0x22;
/** Begins and ends each file; between them stands at least the footer's length. */
const parquetMark = 'PAR1';
const leastParquetBytes = 12;

interface Wholeness {
  see(bytes: Buffer): void;
  isWhole(): boolean;
}

/** Passes a file on, and fails at its end unless it is whole. */
export function onlyWhole(format: RowFormat, rows: number): Transform {
  const wholeness = createWholeness(format, rows);
  return new Transform({
    transform(bytes: Buffer, _encoding, done: TransformCallback) {
      wholeness.see(bytes);
      done(null, bytes);
    },
    flush(done: TransformCallback) {
      if (wholeness.isWhole()) return done();
      const detail = 'The statistics store broke off: its disk may be full';
      done(new Fault('UNAVAILABLE', detail, { retryAfterSeconds: 1 }));
    },
  });
}

function createWholeness(format: RowFormat, rows: number): Wholeness {
  switch (format) {
    case 'csv':
      return countingLines(rows + 1, true);
    case 'csv without header':
      return countingLines(rows, true);
    case 'jsonl':
      return countingLines(rows, false);
    case 'parquet':
      return lookingAtEnds();
  }
}

/** `hasQuotes`: line ends between quotes are part of a value. */
function countingLines(wanted: number, hasQuotes: boolean): Wholeness {
  let lines = 0;
  let last = lineEnd;
  let isQuoted = false;
  return {
    see(bytes) {
      for (const byte of bytes) {
        if (hasQuotes && byte === quote) isQuoted = !isQuoted;
        else if (byte === lineEnd && !isQuoted) lines += 1;
      }
      last = bytes.at(-1) ?? last;
    },
    isWhole: () => lines === wanted && last === lineEnd,
  };
}

/** Its footer says where each row is, so that nothing before it is missing where it is there. */
function lookingAtEnds(): Wholeness {
  let length = 0;
  let first = '';
  let last = '';
  return {
    see(bytes) {
      length += bytes.length;
      const most = parquetMark.length;
      first = (first + bytes.subarray(0, most).toString('latin1')).slice(0, most);
      last = (last + bytes.subarray(-most).toString('latin1')).slice(-most);
    },
    isWhole: () => length >= leastParquetBytes && first === parquetMark && last === parquetMark,
  };
}

/* Rows in the format of a file, as the store writes them. They are requested without the client,
 * which cannot stream bytes for statements with long parameters.
 */

/** Less than the client of HTTP waits for an answer. */
const timeoutSeconds = 280;
/** Sorting more than this goes by way of the disk. */
const sortBytes = 200_000_000;

const formats: Readonly<Record<RowFormat, string>> = {
  csv: 'CSVWithNames',
  'csv without header': 'CSV',
  jsonl: 'JSONEachRow',
  parquet: 'Parquet',
};

const settings = {
  max_execution_time: timeoutSeconds,
  max_bytes_before_external_sort: sortBytes,
  // The store keeps all on its disk until it is made, and then tells how many rows it has made.
  wait_end_of_query: 1,
  date_time_output_format: 'iso',
  format_csv_null_representation: '',
  output_format_csv_crlf_end_of_line: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_escape_forward_slashes: 0,
  output_format_parquet_compression_method: 'zstd',
  // Blocks come in the order of one reader: the same bytes each time.
  max_threads: 1,
  readonly: 1,
};

interface Server {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

interface WriteOptions {
  readonly format: RowFormat;
  readonly signal: AbortSignal;
  /** Settings that hold for all statements. */
  readonly more?: object | undefined;
}

export async function writtenRows(
  { url, database, username, password }: Server,
  { sql, parameters }: FactQuery,
  { format, signal, more }: WriteOptions,
): Promise<WrittenRows> {
  const asked = new URL(url);
  for (const [name, value] of Object.entries({ ...settings, ...more, database })) {
    asked.searchParams.set(name, String(value));
  }
  // As fields of a form: long lists have no room in the URL.
  const fields: [string, string][] = [['query', `${sql}\nFORMAT ${formats[format]}`]];
  for (const [name, value] of Object.entries(parameters)) {
    fields.push([`param_${name}`, written(value)]);
  }
  const boundary = `playmeter-${randomUUID()}`;
  const response = await fetch(asked, {
    method: 'POST',
    headers: {
      // The bundled engine compares the whole header.
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: createForm(fields, boundary),
    signal,
  }).catch(throwCause);
  if (!response.ok) throw toError(await response.text());
  const { result_rows: rows } = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '{}');
  assert(/^\d+$/.test(rows) && response.body, 'the store tells how many rows it has written');
  const bytes = onlyWhole(format, Number(rows));
  // TRICKY: what `compose` returns throws from nowhere if it is destroyed before it is read.
  pipeline(Readable.fromWeb(response.body as ReadableStream), bytes, () => {});
  return { rows: Number(rows), bytes };
}

/** What `fetch` throws says nothing; its cause says what the network did. */
function throwCause(error: Error): never {
  throw error.cause ?? error;
}

/** In one piece: the store takes no form without its length. */
function createForm(fields: readonly (readonly [name: string, value: string])[], boundary: string) {
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** A parameter as the store reads it. */
function written(value: FactQuery['parameters'][string]): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  const items = value.map((item) => (typeof item === 'number' ? item : `'${escaped(item)}'`));
  return `[${items.join(',')}]`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escaped(text: string): string {
  return text.replace(/[\\'\t\n\r]/g, (character) => escapes[character] as string);
}

function toError(text: string): Error {
  const [, code = '0'] = /^Code: (\d+)/.exec(text) ?? [];
  return new ClickHouseError({ message: text.slice(0, 1_000), code });
}
