/**
 * How texts are compared: NFKC, case-folded in every script. Here and not in SQL, so that all
 * databases of the catalog agree; for facts the engine does the same, see dimension-sql.ts.
 */
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
