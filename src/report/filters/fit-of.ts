import { normalizeText } from '../../lib/normalize-text.ts';
import type { Filter } from './read-filters.ts';

/** Whether a condition holds for a text, before any `!`. */
export function fitOf({ operator, values }: Filter): (text: string) => boolean {
  if (operator === '==' || operator === '!=') return (text) => values.includes(text);
  const part = normalizeText(values[0] ?? '');
  return (text) => normalizeText(text).includes(part);
}
