/** The figures as lines to read. */
import { isMet, type Measured } from '../figure.ts';

export function tableOf(figures: Readonly<Record<string, readonly Measured[]>>): string {
  const rows = Object.entries(figures).flatMap(([name, measured]) =>
    measured.map((one) => [
      name,
      one.what,
      `${shown(one.value)} ${one.unit}`,
      one.target ? `${one.target.kind} ${shown(one.target.value)}` : '',
      { true: 'met', false: 'MISSED', undefined: '' }[String(isMet(one))] ?? '',
      one.note ?? '',
    ]),
  );
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function shown(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
