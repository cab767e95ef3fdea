/** JSON lines, one object each -> rows. */

import { accept, refuse } from '../lib/result.ts';
import { readLines } from '../lib/values/line-stream.ts';
import { maxRowBytes, notUnicode, type Row, replacementCharacter, tooLong } from './row.ts';

export async function* readJsonLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let line = 0;
  for await (const given of readLines(bytes, maxRowBytes)) {
    line += 1;
    const text = line === 1 ? given?.replace(/^\ufeff/, '') : given;
    if (text?.trim() !== '') yield { line, values: parseValues(text) };
  }
}

function parseValues(text: string | undefined): Row['values'] {
  if (text === undefined) return refuse(tooLong);
  if (text.includes(replacementCharacter)) return refuse(notUnicode);
  const value = parse(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? accept(value as Record<string, unknown>) : refuse('is not a JSON object');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
