import type { ViewerCompletion } from '../../../client/src/index.ts';
import { nothing } from '../formats.ts';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';

const orders = ['completed', 'seen', 'videos', 'lastSeen'] as const;
type Order = (typeof orders)[number];
export type Sorting = Order | `-${Order}`;

interface ViewersTableProps {
  readonly rows: readonly ViewerCompletion[];
  /** How many there are to complete. */
  readonly videos: number;
  readonly sort: Sorting;
  readonly caption: string;
  readonly onSort: (sort: Sorting) => void;
}

const names = {
  completed: 'completion.complete',
  seen: 'completion.seen',
  videos: 'completion.videos',
  lastSeen: 'completion.last',
} as const;

export function ViewersTable({ rows, videos, sort, caption, onSort }: ViewersTableProps) {
  const { t, formats } = useReader();
  const { timeZone } = usePerson();
  const isOne = videos === 1;
  const shown = orders.filter((order) => !isOne || order !== 'videos');
  const cellOf: Readonly<Record<Order, (row: ViewerCompletion) => string>> = {
    completed: ({ completed }) => {
      if (isOne) return t(completed > 0 ? 'completion.yes' : 'completion.no');
      return `${formats.number(completed)}/${formats.number(videos)}`;
    },
    seen: ({ seen }) => (seen === null ? nothing : formats.share(seen)),
    videos: (row) => formats.number(row.videos),
    lastSeen: ({ lastSeen }) => (lastSeen === null ? nothing : formats.instant(lastSeen, timeZone)),
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
    <div className="scroll" tabIndex={0}>
      <table>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('completion.viewer')}</th>
            {shown.map((order) => (
              <th key={order} scope="col" aria-sort={sortedAs(sort, order)}>
                <button
                  type="button"
                  className="plain"
                  aria-label={t('completion.sort', { name: t(names[order]) })}
                  onClick={() => onSort(sort === `-${order}` ? order : `-${order}`)}
                >
                  {t(names[order])} {markOf(sort, order)}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.viewer}>
              <th scope="row" dir="auto">
                {row.name ?? <code>{row.viewer}</code>}
              </th>
              {shown.map((order) => (
                <td key={order}>{cellOf[order](row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sortedAs(sort: Sorting, order: Order) {
  if (sort === order) return 'ascending';
  return sort === `-${order}` ? 'descending' : undefined;
}

function markOf(sort: Sorting, order: Order): string {
  if (sort === order) return '↑';
  return sort === `-${order}` ? '↓' : '';
}
