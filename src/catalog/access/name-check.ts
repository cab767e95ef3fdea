import { accept, type Result } from '../../lib/result.ts';
import { isLongerThan } from '../../lib/values/text-length.ts';
import { type CatalogRefusal, refusedField } from '../refusal.ts';

const nameLimit = 200;

/** A name chosen by a person: 1 to 200 characters without control characters. */
export function checkName(field: string, text: string): Result<string, CatalogRefusal> {
  if (isPlainText(text, nameLimit)) return accept(text);
  return refusedField(field, `must be 1 to ${nameLimit} characters, without control characters`);
}

/** Whether it says something, on one line. */
export function isPlainText(text: string, limit: number): boolean {
  // PostgreSQL takes neither NUL nor half a surrogate pair; neither means anything to people.
  const isPlain = !/\p{Cc}/u.test(text) && text.isWellFormed();
  return isPlain && text.trim() !== '' && !isLongerThan(text, limit);
}
