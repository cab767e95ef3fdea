/** CSV by RFC 4180, with LF or CRLF, with or without a byte order mark -> rows. */
import { parse } from 'csv-parse/sync';
import { accept, refuse } from '../lib/result.ts';
import { readLines } from '../lib/values/line-stream.ts';
import { type CsvRecord, joinRecords } from './joined-records.ts';
import { maxRowBytes, notUnicode, type Row, replacementCharacter } from './row.ts';

const recordsPerParse = 500;

/** Maps the cells of the header to the names of columns; undefined: ignored. */
export type NameColumns = (header: readonly string[]) => readonly (string | undefined)[];

export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  nameColumns: NameColumns,
): AsyncGenerator<Row> {
  let columns: readonly (string | undefined)[] | undefined;
  let waiting: CsvRecord[] = [];
  for await (const record of joinRecords(readLines(bytes, maxRowBytes), parseOne)) {
    if (columns) {
      waiting.push(record);
    } else {
      columns = nameColumns(cellsOf(record) ?? []);
    }
    if (waiting.length < recordsPerParse) continue;
    yield* rowsOf(waiting, columns);
    waiting = [];
  }
  yield* rowsOf(waiting, columns ?? nameColumns([]));
}

function* rowsOf(
  records: readonly CsvRecord[],
  columns: readonly (string | undefined)[],
): Generator<Row> {
  const parsed = parseAll(records);
  for (const [index, record] of records.entries()) {
    const { line } = record;
    const cells = parsed?.[index] ?? cellsOf(record);
    if (record.refusal !== undefined) {
      yield { line, values: refuse(record.refusal) };
    } else if (!cells) {
      yield { line, values: refuse('has quotes where RFC 4180 allows none') };
    } else if (cells.length > 1 || cells[0] !== '') {
      yield { line, values: valuesOf(cells, columns, record.text) };
    }
  }
}

function valuesOf(
  cells: readonly string[],
  columns: readonly (string | undefined)[],
  text: string,
): Row['values'] {
  if (cells.length !== columns.length) {
    return refuse(`has ${cells.length} columns where the header has ${columns.length}`);
  }
  if (text.includes(replacementCharacter)) return refuse(notUnicode);
  const values: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    // An empty cell means null: CSV has no other way to write it.
    if (name !== undefined && cells[index] !== '') values[name] = cells[index];
  }
  return accept(values);
}

/** Parsing many at once takes a fifth of the time; undefined if one of them is malformed. */
function parseAll(records: readonly CsvRecord[]): string[][] | undefined {
  if (records.some((record) => record.refusal !== undefined)) return undefined;
  const parsed = parseText(records.map(({ text }) => text).join('\n'));
  return parsed?.length === records.length ? parsed : undefined;
}

function cellsOf({ text, refusal }: CsvRecord): string[] | undefined {
  return refusal === undefined ? parseOne(text) : undefined;
}

function parseOne(text: string): string[] | undefined {
  if (text === '') return [''];
  const parsed = parseText(text);
  return parsed?.length === 1 ? parsed[0] : undefined;
}

function parseText(text: string): string[][] | undefined {
  try {
    return parse(text, { record_delimiter: '\n', relax_column_count: true });
  } catch {
    return undefined;
  }
}
