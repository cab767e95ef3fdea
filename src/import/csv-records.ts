/**
 * CSV -> rows: by RFC 4180, and as spreadsheets write it, with semicolons or tabs, in UTF-16, with
 * a line `sep=;`, and with rows and columns that hold nothing.
 */
import { TextDecoder } from 'node:util';
import { parse } from 'csv-parse/sync';
import { accept, refuse } from '../lib/result.ts';
import { readLines } from '../lib/values/line-stream.ts';
import { maxRowBytes, type Row, replacementCharacter, savedOtherwise, tooLong } from './row.ts';

const recordsPerParse = 500;

/** Maps the cells of the header to the names of columns; undefined: without a name. */
type NameColumns = (header: readonly string[], line: number) => Columns;
type Columns = readonly (string | undefined)[];

const delimiters = [',', ';', '\t'];
/** By this line, the first one, Excel is told the delimiter. */
const toldDelimiter = /^"?sep=(.)"?$/i;
const blank = /^[\s,;"]*$/;

export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  nameColumns: NameColumns,
): AsyncGenerator<Row> {
  let delimiter: string | undefined;
  let columns: Columns | undefined;
  let waiting: CsvRecord[] = [];
  const isWhole = (text: string) =>
    (delimiter === undefined ? delimiters : [delimiter]).some((one) => parseOne(text, one));
  for await (const record of joinRecords(readLines(inUtf8(bytes), maxRowBytes), isWhole)) {
    if (columns && delimiter) {
      waiting.push(record);
    } else if (record.line === 1 && toldDelimiter.test(record.text)) {
      delimiter = toldDelimiter.exec(record.text)?.[1];
    } else if (record.refusal !== undefined || !blank.test(record.text)) {
      delimiter ??= findDelimiter(record.text);
      columns = nameColumns(readCells(record, delimiter) ?? [], record.line);
    }
    if (!columns || waiting.length < recordsPerParse) continue;
    yield* rowsOf(waiting, columns, delimiter);
    waiting = [];
  }
  yield* rowsOf(waiting, columns ?? nameColumns([], 1), delimiter);
}

/** That by which the header has the most cells. */
function findDelimiter(header: string): string {
  const cells = (delimiter: string) => parseOne(header, delimiter)?.length ?? 0;
  return delimiters.reduce((best, one) => (cells(one) > cells(best) ? one : best));
}

/** UTF-16, as spreadsheets save "Unicode text", says so in its first two bytes. */
async function* inUtf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    let piece = chunk;
    if (start) {
      piece = Buffer.concat([start, chunk]);
      start = piece.length < 2 ? piece : undefined;
      if (start) continue;
      const mark = piece.readUInt16BE(0);
      if (mark === 0xfffe) decoder = new TextDecoder('utf-16le');
      if (mark === 0xfeff) decoder = new TextDecoder('utf-16be');
    }
    yield decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece;
  }
  yield decoder ? Buffer.from(decoder.decode()) : (start ?? Buffer.alloc(0));
}

function* rowsOf(
  records: readonly CsvRecord[],
  columns: Columns,
  delimiter: string | undefined,
): Generator<Row> {
  const parsed = parseAll(records, delimiter);
  for (const [index, record] of records.entries()) {
    const { line } = record;
    const cells = parsed?.[index] ?? readCells(record, delimiter);
    if (record.refusal !== undefined) {
      yield { line, values: refuse(record.refusal) };
    } else if (!cells) {
      yield { line, values: refuse('has quotes where RFC 4180 allows none') };
    } else if (cells.some((cell) => cell.trim() !== '')) {
      yield { line, values: readValues(cells, columns, record.text) };
    }
  }
}

function readValues(cells: readonly string[], columns: Columns, text: string): Row['values'] {
  if (cells.length !== columns.length) {
    return refuse(`has ${cells.length} columns where the header has ${columns.length}`);
  }
  if (text.includes(replacementCharacter)) return refuse(savedOtherwise);
  const values: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    // An empty cell means null: CSV has no other way to write it.
    if (cells[index] === '') continue;
    if (name === undefined) {
      return refuse(`has a value in column ${index + 1}, which the header does not name`);
    }
    values[name] = cells[index];
  }
  return accept(values);
}

/** Parsing many at once takes a fifth of the time; undefined if one of them is malformed. */
function parseAll(
  records: readonly CsvRecord[],
  delimiter: string | undefined,
): string[][] | undefined {
  if (records.some((record) => record.refusal !== undefined)) return undefined;
  const parsed = parseText(records.map(({ text }) => text).join('\n'), delimiter);
  return parsed?.length === records.length ? parsed : undefined;
}

function readCells(
  { text, refusal }: CsvRecord,
  delimiter: string | undefined,
): string[] | undefined {
  return refusal === undefined ? parseOne(text, delimiter) : undefined;
}

function parseOne(text: string, delimiter: string | undefined): string[] | undefined {
  if (text === '') return [''];
  const parsed = parseText(text, delimiter);
  return parsed?.length === 1 ? parsed[0] : undefined;
}

function parseText(text: string, delimiter = ','): string[][] | undefined {
  try {
    return parse(text, { delimiter, record_delimiter: '\n', relax_column_count: true });
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
  isWhole: (text: string) => boolean,
): AsyncGenerator<CsvRecord> {
  const opened = openedRecords(isWhole);
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const withoutMark = line === 1 ? text?.replace(/^\ufeff/, '') : text;
    yield* opened.push({ line, text: withoutMark });
  }
  yield* opened.end();
}

function openedRecords(isWhole: (text: string) => boolean) {
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
    if (open.length > 1 && !isWhole(record)) {
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
