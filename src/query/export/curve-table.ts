/** The columns of the curves, as files have them: those of their answers in CSV, with types. */
import {
  type ConcurrencyRow,
  concurrencyColumns,
  type RetentionPart,
  retentionColumns,
} from '../../wire/questions/curves.ts';
import type { ColumnType, ExportColumn } from './table-file.ts';

export const columnsOfRetention = createColumns<RetentionPart>(retentionColumns, {
  ...({ part: 'Int64', fromMs: 'Int64', toMs: 'Int64' } as const),
  ...({ audience: 'Int64', watched: 'Float64' } as const),
});

export const columnsOfConcurrency = createColumns<ConcurrencyRow>(concurrencyColumns, {
  ...({ time: 'String', peak: 'Int64', peakAt: 'StringOrNull', average: 'Float64' } as const),
});

function createColumns<Row>(
  names: readonly (keyof Row & string)[],
  types: Readonly<Record<keyof Row & string, ColumnType>>,
): readonly ExportColumn<Row>[] {
  return names.map((name) => ({ name, type: types[name], valueIn: (row) => row[name] }));
}
