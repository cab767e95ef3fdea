/** An answer as CSV (RFC 4180): a header, then a line a row, in portions. */
import type { AudienceDimensionName } from '../../wire/audience.ts';
import { audienceDimension } from '../../wire/audience.ts';
import type { MeasureValues, QueryRow } from '../../wire/audience-messages.ts';
import type { Query } from './query.ts';

const rowsOfPortion = 500;

export function writeCsv(
  rows: readonly QueryRow[],
  { dimensions, measures, compare }: Pick<Query, 'dimensions' | 'measures' | 'compare'>,
): Generator<string> {
  const own = [...dimensions.flatMap(labelNames), ...measures];
  const compared = compare === undefined ? [] : measures;
  const heads = [...own, ...compared.map((name) => `previous.${name}`)];
  return writeRows(heads, rows, (row) => {
    const previous = (row.previous ?? {}) as MeasureValues;
    return [...own.map((name) => row[name]), ...compared.map((name) => previous[name])];
  });
}

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

function labelNames(name: AudienceDimensionName): string[] {
  const { caption } = audienceDimension(name);
  return caption ? [name, caption] : [name];
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
