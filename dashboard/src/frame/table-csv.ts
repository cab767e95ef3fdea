/** A table of the page as CSV: RFC 4180, and nothing that a spreadsheet takes for a formula. */

export type CsvCell = string | number | null | undefined;

export interface CsvTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

export function tableCsv({ heads, rows }: CsvTable): string {
  return [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: CsvCell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
