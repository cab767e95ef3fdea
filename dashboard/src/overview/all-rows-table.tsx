import type { ReactNode } from 'react';
import { type Dimension, pairsOf, videosOf } from '../filters/dimensions.ts';
import { useValueNames } from '../filters/value-name.ts';
import { Link } from '../frame/link.tsx';
import { Thumbnail } from '../frame/thumbnail.tsx';
import { useReader } from '../language.tsx';
import { drawnValue, type Measure, unitOf } from '../measures.ts';
import type { Row } from '../questions.ts';
import { toggled, useView } from '../statistics.ts';
import { type Thumbnails, useThumbnails } from '../thumbnails.ts';
import { useRowWindow } from './use-row-window.ts';

/** Whose pictures are asked for at once. */
const rowsAsked = 100;

export type Sort = `-${Measure}` | Measure;

interface AllRowsTableProps {
  readonly dimension: Dimension;
  readonly measures: readonly Measure[];
  readonly rows: readonly Row[];
  /** Behind a value; by default nothing. */
  readonly besides?: (row: Row, measure: Measure) => ReactNode;
  /** Of a row that is not ranked. */
  readonly isQuiet?: (row: Row) => boolean;
  /** Those of another order or search, until these are there. */
  readonly isOld: boolean;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Of a thousand rows or more, those in sight are drawn. */
export function AllRowsTable(props: AllRowsTableProps) {
  const { dimension, measures, rows, isOld, sort, onSort } = props;
  const { titleOf } = useValueNames();
  const { scroller, first, end, beforePx, afterPx } = useRowWindow(rows.length);
  // In whole steps: scrolling by a row asks for nothing new.
  const [from, to] = [Math.floor(first / rowsAsked), Math.ceil(end / rowsAsked)];
  const near = rows.slice(from * rowsAsked, to * rowsAsked);
  const thumbnails = useThumbnails(videosOf(dimension, near));
  return (
    <div
      className="scroll"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
      tabIndex={0}
      aria-busy={isOld}
      data-old={isOld || undefined}
    >
      <table className="numbers all" aria-rowcount={rows.length + 1}>
        <caption className="hidden">{titleOf(dimension)}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{titleOf(dimension)}</th>
            {measures.map((measure) => (
              <SortHead key={measure} measure={measure} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Room heightPx={beforePx} columns={measures.length + 1} />
          {rows.slice(first, end).map((row, index) => (
            <OneRow
              key={pairsOf(dimension, row).join(' ')}
              rowIndex={first + index + 2}
              {...{ ...props, row }}
              thumbnails={dimension.name === 'video' ? thumbnails : undefined}
            />
          ))}
          <Room heightPx={afterPx} columns={measures.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

interface SortHeadProps extends Pick<AllRowsTableProps, 'sort' | 'onSort'> {
  readonly measure: Measure;
}

function SortHead({ measure, sort, onSort }: SortHeadProps) {
  const { t } = useReader();
  const order = sort === `-${measure}` ? 'descending' : sort === measure ? 'ascending' : 'none';
  return (
    <th scope="col" aria-sort={order}>
      <button
        type="button"
        className="plain"
        onClick={() => onSort(sort === `-${measure}` ? measure : `-${measure}`)}
      >
        {t(`measure.${measure}`)}
        <span aria-hidden="true">{{ descending: ' ↓', ascending: ' ↑', none: '' }[order]}</span>
      </button>
    </th>
  );
}

interface OneRowProps extends Pick<AllRowsTableProps, 'dimension' | 'measures' | 'besides'> {
  readonly isQuiet?: AllRowsTableProps['isQuiet'];
  readonly row: Row;
  readonly thumbnails: Thumbnails | undefined;
  /** Within the whole table, the head being 1. */
  readonly rowIndex: number;
}

function OneRow(props: OneRowProps) {
  const { dimension, measures, row, rowIndex, thumbnails, besides, isQuiet } = props;
  const { formats } = useReader();
  const { view, urlWith } = useView();
  const { rowName } = useValueNames();
  const name = rowName(dimension, row);
  const pairs = pairsOf(dimension, row);
  return (
    <tr aria-rowindex={rowIndex} className={isQuiet?.(row) ? 'quiet' : undefined}>
      <th scope="row" dir="auto" title={name}>
        {thumbnails && <Thumbnail url={thumbnails.get(row.video ?? '')} />}
        {dimension.isUnfiltered ? name : <Link href={urlWith(toggled(view, pairs))}>{name}</Link>}
      </th>
      {measures.map((measure) => (
        <td key={measure}>
          {formats.measure(drawnValue(row, measure), unitOf[measure])}
          {besides?.(row, measure)}
        </td>
      ))}
    </tr>
  );
}

/** Stands for the rows that are not drawn. */
function Room({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr>
      <td className="room" colSpan={columns} style={{ height: heightPx }} />
    </tr>
  );
}
