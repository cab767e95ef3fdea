import type { Result } from '../lib/result.ts';

/** One row of a list of videos: what it says by the names of the interface, or why it cannot. */
export interface Row {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly values: Result<Readonly<Record<string, unknown>>, string>;
}

/** No row that may be taken is longer: its texts are 25,000 characters at most. */
export const maxRowBytes = 262_144;

/** What bytes become that are no UTF-8. */
export const replacementCharacter = '\ufffd';
export const notUnicode = 'is not in UTF-8';
export const tooLong = `is longer than ${maxRowBytes} bytes`;
