/** A list in CSV, cut between rows into parts that one message holds; each has the header. */

export interface CsvPart {
  readonly csv: string;
  /** The line of the file that its first row stands in, from 1. */
  readonly firstLine: number;
  readonly headerLines: number;
}

interface Bounds {
  readonly characters: number;
  readonly lines: number;
}

/** A list as a spreadsheet saved it: UTF-16 says so in its first two bytes. */
export function textOfList(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const isUtf16 = first === 0xff && second === 0xfe;
  const isSwapped = first === 0xfe && second === 0xff;
  const encoding = isUtf16 ? 'utf-16le' : isSwapped ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** Not the header yet: what tells the separator, and rows that hold nothing. */
const beforeHeader = /^(?:"?sep=."?|[\s,;"]*)$/i;

/** Below what the service takes (src/wire/library/video-import.ts), also with every quote escaped. */
const usual: Bounds = { characters: 250_000, lines: 5_000 };

export function cutCsv(text: string, bounds: Bounds = usual): CsvPart[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = lines.findIndex((line) => !beforeHeader.test(line.trimEnd()));
  if (first === -1) return [];
  let end = endOfRow(lines, first);
  const headerLines = end;
  const header = lines.slice(0, end).join('\n');
  const parts: CsvPart[] = [];
  while (end < lines.length) {
    const start = end;
    let characters = 0;
    do {
      const next = endOfRow(lines, end);
      characters += lines.slice(end, next).join('\n').length;
      end = next;
    } while (end < lines.length && characters < bounds.characters && end - start < bounds.lines);
    const rows = lines.slice(start, end).join('\n');
    parts.push({ csv: `${header}\n${rows}\n`, firstLine: start + 1, headerLines });
  }
  return parts;
}

/** Lines that a quoted cell may take before its quote counts as stray, and the line as a row. */
const mostLinesOfRow = 1_000;

/** The line after the row that begins here: quotes that are open join the next line. */
function endOfRow(lines: readonly string[], start: number): number {
  let isOpen = false;
  const most = Math.min(lines.length, start + mostLinesOfRow);
  for (let index = start; index < most; index += 1) {
    if ((lines[index]?.split('"').length ?? 1) % 2 === 0) isOpen = !isOpen;
    if (!isOpen) return index + 1;
  }
  return start + 1;
}
