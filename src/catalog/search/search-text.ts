/**
 * How texts are compared: here and not in SQL, so that both databases agree.
 *
 * Normalised text is NFKC, case-folded in every script. A keyword matches
 * if its normalised form is a substring of the field's. For the index, a text is cut into
 * tokens: from each of its characters on, the next three. A keyword of three characters is one
 * token, a shorter one the beginning of a token, and a longer one several in a row.
 */

const tokenLength = 3;
export const titleOrderLength = 200;

export function normalizeText(text: string): string {
  // By way of upper case, because it joins more: sharp s and ss, dotless i and i. Lower case
  // comes first all the same, for the capital sharp s, which is its own upper case.
  const lower = text.toWellFormed().normalize('NFKC').toLowerCase();
  return lower
    .toUpperCase()
    .toLowerCase()
    .replaceAll('\u03c2', '\u03c3')
    .replaceAll('i\u0307', 'i')
    .replaceAll(/\p{Cc}/gu, ' ')
    .normalize('NFKC');
}

/** Each token of a normalised text, in order; the last two are shorter. */
export function tokensOf(normalized: string): string[] {
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
  const tokens = tokensOf(normalized).slice(0, characters.length - tokenLength + 1);
  return { kind: 'sequence', tokens };
}

/**
 * Titles sort by the first 200 characters of their normalised form, in the order of code points:
 * index entries have a largest size (PostgreSQL: 2,704 bytes).
 */
export function titleOrderOf(title: string): string {
  return [...normalizeText(title)].slice(0, titleOrderLength).join('');
}
