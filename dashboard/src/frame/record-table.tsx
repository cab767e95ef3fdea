import { type DataRow, DataTable } from './data-table.tsx';

interface RecordTableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly DataRow[];
  /** Said where there are no rows. */
  readonly empty: string;
}

export function RecordTable({ empty, ...table }: RecordTableProps) {
  if (table.rows.length === 0) return <p className="quiet empty">{empty}</p>;
  return <DataTable className="records" {...table} />;
}
