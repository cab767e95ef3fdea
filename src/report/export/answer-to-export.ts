/** The rows of an answer to a question, in files: by day if it has days, else in one. */
import { Readable } from 'node:stream';
import {
  boundArray,
  type FactReader,
  type RowFormat,
  type WrittenRows,
} from '../../facts/facts.ts';
import { audienceDimension } from '../../wire/audience.ts';
import { audienceMeasures } from '../../wire/audience-measures.ts';
import type { MeasureValues, QueryRow } from '../../wire/audience-messages.ts';
import type { Query } from '../query/query.ts';
import { writeCsv } from '../query/write-csv.ts';

interface DayOfRows {
  /** In the question's zone, yyyy-mm-dd; undefined: the question has no days. */
  readonly day: string | undefined;
  readonly rows: readonly QueryRow[];
}

/** In order of days. */
export function byDay(rows: readonly QueryRow[], { dimensions }: Query): DayOfRows[] {
  const time = dimensions.find((name) => name === 'date' || name === 'hour');
  if (time === undefined) return [{ day: undefined, rows }];
  const days = Map.groupBy(rows, (row) => String(row[time]).slice(0, 10));
  return [...days]
    .map(([day, ofDay]) => ({ day, rows: ofDay }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

export async function writeAnswer(
  facts: FactReader,
  { rows, query }: { readonly rows: readonly QueryRow[]; readonly query: Query },
  format: RowFormat,
  signal: AbortSignal,
): Promise<WrittenRows> {
  if (format === 'parquet') return writeParquet(facts, rows, query, signal);
  const text = format === 'jsonl' ? jsonLines(rows) : writeCsv(rows, query);
  return { rows: rows.length, bytes: Readable.from(buffers(text), { objectMode: false }) };
}

function* buffers(texts: Iterable<string>): Generator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

function* jsonLines(rows: readonly QueryRow[]): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}

interface Column {
  readonly name: string;
  /** Of the values, which are bound as text; empty for null. */
  readonly type: 'String' | 'UInt32' | 'Int64' | 'Float64';
  valueIn(row: QueryRow): unknown;
}

/** By the store, which gets the rows as lists of values, a list a column. */
async function writeParquet(
  facts: FactReader,
  rows: readonly QueryRow[],
  query: Query,
  signal: AbortSignal,
): Promise<WrittenRows> {
  const columns = columnsOf(query).map((column, index) => {
    const texts = rows.map((row) => String(column.valueIn(row) ?? ''));
    const { sql, parameters } = boundArray(`column${index}`, 'String', texts);
    const value = `part.${index + 1}`;
    const read = column.type === 'String' ? value : `to${column.type}OrNull(${value})`;
    return { lists: sql, parameters, read: `${read} AS \`${column.name}\`` };
  });
  const sql = `SELECT ${columns.map(({ read }) => read).join(', ')} FROM (
SELECT arrayJoin(arrayZip(${columns.map(({ lists }) => lists).join(',\n  ')})) AS part)`;
  const parameters = Object.assign({}, ...columns.map((column) => column.parameters));
  return facts.write({ name: 'export answer', sql, parameters }, 'parquet', signal);
}

function columnsOf({ dimensions, measures, compare }: Query): Column[] {
  const labels = dimensions.flatMap((name): Column[] => {
    const { caption } = audienceDimension(name);
    const type = name === 'package' || name === 'folder' ? 'UInt32' : 'String';
    const label: Column = { name, type, valueIn: (row) => row[name] };
    return caption
      ? [label, { name: caption, type: 'String', valueIn: (row) => row[caption] }]
      : [label];
  });
  const typeOf = (name: (typeof measures)[number]) =>
    audienceMeasures[name].unit === '0 to 1' ? 'Float64' : 'Int64';
  const own = measures.map((name): Column => {
    return { name, type: typeOf(name), valueIn: (row) => row[name] };
  });
  const before = measures.map((name): Column => {
    const previous = (row: QueryRow) => (row.previous ?? {}) as MeasureValues;
    return { name: `previous.${name}`, type: typeOf(name), valueIn: (row) => previous(row)[name] };
  });
  return [...labels, ...own, ...(compare === undefined ? [] : before)];
}
