/** The rows of an answer to a question: their columns, and the files that they go into. */
import { audienceDimension } from '../../vocabulary/dimensions.ts';
import { isFractional } from '../../vocabulary/measures.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import type { Query } from '../parse/query.ts';
import { type ExportColumn, formatCsv } from './table-file.ts';

export interface DayOfRows<Row> {
  /** In the question's zone, yyyy-mm-dd; undefined: the question has no days. */
  readonly day: string | undefined;
  readonly rows: readonly Row[];
}

/** In order of days. */
export function splitByDay(
  rows: readonly QueryRow[],
  { dimensions }: Query,
): readonly DayOfRows<QueryRow>[] {
  const time = dimensions.find((name) => name === 'date' || name === 'hour');
  if (time === undefined) return [{ day: undefined, rows }];
  return byDay(rows, (row) => String(row[time]));
}

/** In order of days, which the labels begin with. */
export function byDay<Row>(
  rows: readonly Row[],
  labelOf: (row: Row) => string,
): readonly DayOfRows<Row>[] {
  const days = Map.groupBy(rows, (row) => labelOf(row).slice(0, 10));
  return [...days]
    .map(([day, ofDay]) => ({ day, rows: ofDay }))
    .sort((one, other) => (one.day < other.day ? -1 : 1));
}

type TableQuestion = Pick<Query, 'dimensions' | 'measures' | 'compare'>;

/** An answer as CSV, in portions. */
export function writeCsv(rows: readonly QueryRow[], asked: TableQuestion): Generator<string> {
  return formatCsv({ rows, columns: columnsOfAnswer(asked) });
}

export function columnsOfAnswer({
  dimensions,
  measures,
  compare,
}: TableQuestion): readonly ExportColumn<QueryRow>[] {
  const labels = dimensions.flatMap((name): ExportColumn<QueryRow>[] => {
    const { caption } = audienceDimension(name);
    const type = name === 'package' || name === 'folder' ? 'UInt32' : 'String';
    const label = { name, type, valueIn: (row: QueryRow) => row[name] } as const;
    return caption
      ? [label, { name: caption, type: 'String', valueIn: (row) => row[caption] }]
      : [label];
  });
  const typeOf = (name: (typeof measures)[number]) => (isFractional(name) ? 'Float64' : 'Int64');
  const own = measures.map((name): ExportColumn<QueryRow> => {
    return { name, type: typeOf(name), valueIn: (row) => row[name] };
  });
  const before = measures.map((name): ExportColumn<QueryRow> => {
    const previous = (row: QueryRow) => (row.previous ?? {}) as MeasureValues;
    return { name: `previous.${name}`, type: typeOf(name), valueIn: (row) => previous(row)[name] };
  });
  return [...labels, ...own, ...(compare === undefined ? [] : before)];
}
