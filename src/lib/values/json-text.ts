import { isUtf8 } from 'node:buffer';
import { accept, type Result, refuse } from '../result.ts';

/**
 * The value of a JSON text in UTF-8 (RFC 8259), or what is wrong with the text. A byte order mark
 * is skipped; if members have the same name, the last one counts. `JSON.parse` makes `__proto__` an
 * ordinary member and doesn't recurse, so neither names nor nesting need a rule of their own.
 */
export function readJson(bytes: Buffer): Result<unknown, string> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = hasMark ? bytes.subarray(3) : bytes;
  if (text.length === 0) return refuse('is empty');
  if (!isUtf8(text)) return refuse('is not valid UTF-8');
  try {
    return accept(JSON.parse(text.toString()));
  } catch {
    return refuse('is not valid JSON');
  }
}
