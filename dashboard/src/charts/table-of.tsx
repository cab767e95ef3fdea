import { type ReactNode, useState } from 'react';
import { DataTable } from '../frame/data-table.tsx';
import { useReader } from '../language.tsx';

interface TableOfProps {
  readonly caption: string;
  readonly heads: readonly string[];
  readonly rows: () => readonly (readonly ReactNode[])[];
}

/** What a chart shows, as a table: made when somebody opens it. */
export function TableOf({ caption, heads, rows }: TableOfProps) {
  const { t } = useReader();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="table-of" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('chart.table')}</summary>
      {isOpen && (
        <DataTable
          {...{ caption, heads, className: 'scroll' }}
          rows={rows().map((cells) => ({ key: String(cells[0]), cells }))}
        />
      )}
    </details>
  );
}
