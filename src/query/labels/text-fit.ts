import { normalizeText } from '../../lib/values/text-normalization.ts';
import type { Filter } from '../parse/filter-parser.ts';

/** Whether a condition holds for a text, before any `!`. */
export function fitOf({ operator, values }: Filter): (text: string) => boolean {
  if (operator === '==' || operator === '!=') {
    const wanted = new Set(values);
    return (text) => wanted.has(text);
  }
  const part = normalizeText(values[0] ?? '');
  return (text) => normalizeText(text).includes(part);
}
