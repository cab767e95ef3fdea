/** Rows as a file of any format, with the same columns in CSV and Parquet. */
import { Readable } from 'node:stream';
import {
  boundArray,
  type FactReader,
  type RowFormat,
  type WrittenRows,
} from '../../store/facts.ts';
import { writeRows } from '../present/csv-text.ts';

/** Of values, which are bound as text; empty for null. */
export type ColumnType = 'String' | 'StringOrNull' | 'UInt32' | 'Int64' | 'Float64';

export interface ExportColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  valueIn(row: Row): unknown;
}

export interface Table<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly ExportColumn<Row>[];
}

/** JSON lines have the rows as they are. */
export async function writeTable<Row>(
  facts: FactReader,
  { rows, columns }: Table<Row>,
  format: RowFormat,
  signal: AbortSignal,
): Promise<WrittenRows> {
  if (format === 'parquet') return writeParquet(facts, { rows, columns }, signal);
  const text = format === 'jsonl' ? jsonLines(rows) : formatCsv({ rows, columns });
  return { rows: rows.length, bytes: Readable.from(buffers(text), { objectMode: false }) };
}

/** The first portion is the header. */
export function formatCsv<Row>({ rows, columns }: Table<Row>): Generator<string> {
  const names = columns.map(({ name }) => name);
  return writeRows(names, rows, (row) => columns.map(({ valueIn }) => valueIn(row)));
}

function* buffers(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

function* jsonLines(rows: readonly unknown[]): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

const reads: Readonly<Record<ColumnType, (text: string) => string>> = {
  String: (text) => text,
  StringOrNull: (text) => `nullIf(${text}, '')`,
  UInt32: (text) => `toUInt32OrNull(${text})`,
  Int64: (text) => `toInt64OrNull(${text})`,
  Float64: (text) => `toFloat64OrNull(${text})`,
};

/** By the store, which gets the rows as lists of values, a list a column. */
async function writeParquet<Row>(
  facts: FactReader,
  { rows, columns }: Table<Row>,
  signal: AbortSignal,
): Promise<WrittenRows> {
  const bound = columns.map(({ name, type, valueIn }, index) => {
    const texts = rows.map((row) => String(valueIn(row) ?? ''));
    const { sql, parameters } = boundArray(`column${index}`, 'String', texts);
    const read = reads[type](`part.${index + 1}`);
    return { lists: sql, parameters, read: `${read} AS \`${name}\`` };
  });
  const sql = `SELECT ${bound.map(({ read }) => read).join(', ')} FROM (
SELECT arrayJoin(arrayZip(${bound.map(({ lists }) => lists).join(',\n  ')})) AS part)`;
  const parameters = Object.assign({}, ...bound.map((column) => column.parameters));
  return facts.write({ name: 'export answer', sql, parameters }, 'parquet', signal);
}
