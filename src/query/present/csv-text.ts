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

/** The columns are members of each row. */
export function writeRecords<Name extends string>(
  columns: readonly Name[],
  rows: readonly Readonly<Record<Name, unknown>>[],
): Generator<string> {
  return writeRows(columns, rows, (row) => columns.map((name) => row[name]));
}

/** With the end of the line. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(formatCell).join(',')}\r\n`;
}

/**
 * How a text begins that a spreadsheet would take for a formula, for JavaScript and RE2: some skip
 * spaces and line breaks before it, or read full-width characters as the usual ones.
 */
export const formulaStart = String.raw`^(?:[\t\r\n]|[ \t\r\n]*(?:[=+\-@]|＝|＋|－|＠))`;
const isFormula = new RegExp(formulaStart);

/** Such a text gets a quote before it, as OWASP advises. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = String(value);
  const harmless = isFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) || harmless !== text
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
