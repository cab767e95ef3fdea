/** A table of the page as CSV: RFC 4180, and nothing that a spreadsheet takes for a formula. */

type CsvCell = string | number | null | undefined;

export interface CsvTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
}

/** These members of records, under their names in the interface; what is no plain value as JSON. */
export function tableOf<Name extends string>(
  records: readonly { readonly [name in Name]?: unknown }[],
  heads: readonly Name[],
): CsvTable {
  return { heads, rows: records.map((record) => heads.map((head) => plain(record[head]))) };
}

/** All members of records that have the same ones; of a member with members, `NAME.MEMBER` each. */
export function wholeTableOf(records: readonly object[]): CsvTable {
  const flat = records.map((record) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([name, value]) =>
        isPlain(value)
          ? [[name, value]]
          : Object.entries(value as object).map(([member, of]) => [`${name}.${member}`, of]),
      ),
    ),
  );
  return tableOf(flat, Object.keys(flat[0] ?? {}));
}

function plain(value: unknown): CsvCell {
  if (isPlain(value)) return value;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

function isPlain(value: unknown): value is CsvCell {
  return value === null || typeof value === 'string' || typeof value === 'number';
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
