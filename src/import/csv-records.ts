/** CSV by RFC 4180, with LF or CRLF, with or without a byte order mark -> rows. */
import { parse } from 'csv-parse/sync';
import { accept, refuse } from '../lib/result.ts';
import { readLines } from '../lib/values/line-stream.ts';
import { maxRowBytes, notUnicode, type Row, replacementCharacter, tooLong } from './row.ts';

const recordsPerParse = 500;

/** Maps the cells of the header to the names of columns; undefined: ignored. */
type NameColumns = (header: readonly string[]) => readonly (string | undefined)[];

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

/** One record of a CSV file, as text, or why it cannot be read. */
interface CsvRecord {
  readonly line: number;
  readonly text: string;
  readonly refusal?: string;
}

interface Line {
  readonly line: number;
  readonly text: string | undefined;
}

/**
 * Lines -> records: a quoted cell may hold line breaks. A quote that is never closed would swallow
 * the rest of the file; here it costs only its own line, and reading goes on at the next.
 */
async function* joinRecords(
  lines: AsyncIterable<string | undefined>,
  parse: (text: string) => readonly string[] | undefined,
): AsyncGenerator<CsvRecord> {
  const opened = openedRecords(parse);
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const withoutMark = line === 1 ? text?.replace(/^\ufeff/, '') : text;
    yield* opened.push({ line, text: withoutMark });
  }
  yield* opened.end();
}

function openedRecords(parse: (text: string) => readonly string[] | undefined) {
  /** The lines of a record whose quotes are not closed yet, and their total length. */
  let open: Line[] = [];
  let openLength = 0;
  let isQuoted = false;

  /** Gives up the first line of the open record and reads the others again. */
  function* giveUp(): Generator<CsvRecord> {
    const [first, ...others] = open;
    forget();
    if (first) yield { line: first.line, text: '', refusal: 'has a quote that is not closed' };
    for (const other of others) yield* push(other);
  }

  function forget() {
    open = [];
    openLength = 0;
    isQuoted = false;
  }

  function* push({ line, text }: Line): Generator<CsvRecord> {
    if (text === undefined) {
      yield* end();
      yield { line, text: '', refusal: tooLong };
      return;
    }
    open.push({ line, text });
    openLength += text.length;
    if (hasOddQuotes(text)) isQuoted = !isQuoted;
    if (isQuoted) {
      if (openLength > maxRowBytes) yield* giveUp();
      return;
    }
    const first = open[0]?.line ?? line;
    const joined = open.map((one) => one.text).join('\n');
    const record = joined.endsWith('\r') ? joined.slice(0, -1) : joined;
    // Two stray quotes on two lines look like one quoted cell.
    if (open.length > 1 && !parse(record)) {
      yield* giveUp();
      return;
    }
    forget();
    yield { line: first, text: record };
  }

  function* end(): Generator<CsvRecord> {
    while (open.length > 0) yield* giveUp();
  }

  return { push, end };
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}
