import { type DataRow, DataTable } from './data-table.tsx';

interface RecordTableProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: readonly DataRow[];
  /** Said where there are no rows. */
  readonly empty: string;
  /** What sets its columns. */
  readonly className?: 'videos' | 'videos read';
}

export function RecordTable({ empty, className, ...table }: RecordTableProps) {
  if (table.rows.length === 0) return <p className="quiet empty">{empty}</p>;
  return <DataTable className={className ? `records ${className}` : 'records'} {...table} />;
}
