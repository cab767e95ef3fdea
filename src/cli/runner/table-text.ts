/** Columns under their names, numbers to the right; what is not there is "-". */
export function showTable(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
): string[] {
  const shown = rows.map((row) =>
    row.map((value) => ({
      text: value === null || value === undefined ? '-' : String(value),
      isNumber: typeof value === 'number',
    })),
  );
  const widths = names.map((name, column) =>
    shown.reduce((width, row) => Math.max(width, row[column]?.text.length ?? 0), name.length),
  );
  const isNumeric = names.map((_, column) =>
    shown.every((row) => row[column]?.isNumber === true || row[column]?.text === '-'),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => {
        const width = widths[column] ?? 0;
        return isNumeric[column] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(names), ...shown.map((row) => line(row.map(({ text }) => text)))];
}
