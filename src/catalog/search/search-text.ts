/**
 * How texts are searched. A keyword matches if its normalised form is a substring of the field's.
 * For the index, a text is cut into tokens: from each of its characters on, the next three. A
 * keyword of three characters is one token, a shorter one the beginning of a token, and a longer
 * one several in a row.
 */
import { normalizeText } from '../../lib/values/text-normalization.ts';

const tokenLength = 3;
export const titleOrderLength = 200;

/** Each token of a normalised text, in order; the last two are shorter. */
export function splitTokens(normalized: string): string[] {
  const characters = [...normalized];
  return characters.map((_, index) => characters.slice(index, index + tokenLength).join(''));
}

/** How to find a normalised keyword among tokens. */
export type KeywordPlan =
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'sequence'; readonly tokens: readonly string[] };

export function planKeyword(normalized: string): KeywordPlan {
  const characters = [...normalized];
  if (characters.length < tokenLength) return { kind: 'prefix', prefix: normalized };
  const tokens = splitTokens(normalized).slice(0, characters.length - tokenLength + 1);
  return { kind: 'sequence', tokens };
}

/**
 * Titles sort by the first 200 characters of their normalised form, in the order of code points:
 * index entries have a largest size (PostgreSQL: 2,704 bytes).
 */
export function createTitleOrder(title: string): string {
  return [...normalizeText(title)].slice(0, titleOrderLength).join('');
}
