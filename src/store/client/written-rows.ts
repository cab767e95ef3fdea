/**
 * Rows in the format of a file, as the store writes them. They are requested without the client,
 * which cannot stream bytes for statements with long parameters.
 */
import { randomUUID } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { ClickHouseError } from '@clickhouse/client';
import { assert } from '../../lib/assert.ts';
import type { FactQuery, RowFormat, WrittenRows } from '../facts.ts';
import { onlyWhole } from './file-check.ts';

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
    body: formOf(fields, boundary),
    signal,
  }).catch(throwCause);
  if (!response.ok) throw errorOf(await response.text());
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
function formOf(fields: readonly (readonly [name: string, value: string])[], boundary: string) {
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

function errorOf(text: string): Error {
  const [, code = '0'] = /^Code: (\d+)/.exec(text) ?? [];
  return new ClickHouseError({ message: text.slice(0, 1_000), code });
}
