import { type ReactNode, useState } from 'react';
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
        <div className="scroll" tabIndex={0}>
          <table>
            <caption className="hidden">{caption}</caption>
            <thead>
              <tr>
                {heads.map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows().map(([first, ...others]) => (
                <tr key={String(first)}>
                  <th scope="row">{first}</th>
                  {others.map((cell, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name
                    <td key={index}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
