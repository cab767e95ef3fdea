/** CSV (RFC 4180): a header, then a line a row, in portions. */
const rowsOfPortion = 500;

/** The first portion is the header. */
export function* writeRows<Row>(
  heads: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly unknown[],
): Generator<string> {
  yield csvLine(heads);
  for (let start = 0; start < rows.length; start += rowsOfPortion) {
    const portion = rows.slice(start, start + rowsOfPortion);
    yield portion.map((row) => csvLine(cellsOf(row))).join('');
  }
}

/** With the end of the line. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula gets a quote before it, as OWASP advises. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) || harmless !== text
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
