import type { Result } from '../lib/result.ts';

/** One row of a list of videos: its values by the API's field names, or why it cannot be read. */
export interface Row {
  /** The line where it begins, counted from 1. */
  readonly line: number;
  readonly values: Result<Readonly<Record<string, unknown>>, string>;
}

/** No valid row is longer: its texts have at most 25,000 characters. */
export const maxRowBytes = 262_144;

/** What invalid UTF-8 decodes to. */
export const replacementCharacter = '\ufffd';
export const notUnicode = 'is not valid UTF-8';
export const savedOtherwise = `${notUnicode}: save the list as "CSV UTF-8"`;
export const tooLong = `is longer than ${maxRowBytes} bytes`;
