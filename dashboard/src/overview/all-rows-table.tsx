import { Link } from '../frame/link.tsx';
import { useReader } from '../language.tsx';
import { type Measure, measures, unitOf } from '../measures.ts';
import type { Row } from '../questions.ts';
import { toggled, useView } from '../statistics.ts';
import { type Dimension, pairsOf } from './dimensions.ts';
import { useValueNames } from './value-name.ts';

type Sort = `-${Measure}` | Measure;

interface AllRowsTableProps {
  readonly dimension: Dimension;
  readonly rows: readonly Row[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

export function AllRowsTable({ dimension, rows, sort, onSort }: AllRowsTableProps) {
  const { t, formats } = useReader();
  const { view, addressWith } = useView();
  const { rowName, titleOf } = useValueNames();
  const orderOf = (measure: Measure) =>
    sort === `-${measure}` ? 'descending' : sort === measure ? 'ascending' : 'none';
  return (
    <div className="scroll">
      <table className="numbers">
        <thead>
          <tr>
            <th scope="col">{titleOf(dimension)}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col" aria-sort={orderOf(measure)}>
                <button
                  type="button"
                  className="plain"
                  onClick={() => onSort(sort === `-${measure}` ? measure : `-${measure}`)}
                >
                  {t(`measure.${measure}`)}
                  <span aria-hidden="true">
                    {{ descending: ' ↓', ascending: ' ↑', none: '' }[orderOf(measure)]}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const pairs = pairsOf(dimension, row);
            return (
              <tr key={pairs.join(' ')}>
                <th scope="row">
                  <Link href={addressWith(toggled(view, pairs))}>{rowName(dimension, row)}</Link>
                </th>
                {measures.map((measure) => (
                  <td key={measure}>{formats.measure(row[measure], unitOf[measure])}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
