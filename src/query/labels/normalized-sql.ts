/**
 * The text of an expression as `normalizeText` makes it, in SQL. The engine knows newer or older
 * letters than Node.js, so both sides of a comparison are made here. Control characters stay as
 * they are: no value of a dimension has one.
 */
export function normalizedSql(text: string): string {
  const folded = `lowerUTF8(upperUTF8(lowerUTF8(normalizeUTF8NFKC(${text}))))`;
  return `normalizeUTF8NFKC(replaceAll(replaceAll(${folded}, '\u03c2', '\u03c3'), 'i\u0307', 'i'))`;
}
