import { maxRowBytes, tooLong } from './row.ts';

/** One record of a CSV file, as text, or why it cannot be read. */
export interface CsvRecord {
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
export async function* joinRecords(
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
