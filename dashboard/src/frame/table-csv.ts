/** A table of the page as CSV: RFC 4180, and nothing that a spreadsheet takes for a formula. */

export type CsvCell = string | number | null | undefined;

export interface CsvTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** These members of records, under their names in the interface; what is no plain value as JSON. */
export function tableOf<Name extends string>(
  records: readonly Readonly<Record<Name, unknown>>[],
  heads: readonly Name[],
): CsvTable {
  return { heads, rows: records.map((record) => heads.map((head) => plain(record[head]))) };
}

function plain(value: unknown): CsvCell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
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
