import { Fault } from '../wire/faults.ts';

const nameLimit = 200;

/** A name as a person gives it: 1 to 200 characters, none of them a control character. */
export function checkText(parameter: string, text: string): string {
  // PostgreSQL takes neither NUL nor half a surrogate pair; neither means anything in a name.
  const isPlain = !/\p{Cc}/u.test(text) && text.isWellFormed();
  if (isPlain && text.trim() !== '' && text.length <= nameLimit) return text;
  const detail = `must be 1 to ${nameLimit} characters, without control characters`;
  throw new Fault('INVALID_PARAMETER', `${parameter} ${detail}`, {
    errors: [{ parameter, detail }],
  });
}
