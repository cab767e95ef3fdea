/** The order of days or hours when some were filled in; otherwise the store orders the rows. */
import { statistics } from '../../vocabulary/statistics.ts';
import type { Question } from '../parse/question.ts';
import { type LabelledSums, measured } from './labelled-sums.ts';
import { isMeasure } from './row-order.ts';

/** Labels of times sort as text. The order is that of row-order.ts. */
export function inOrderOfTime(rows: readonly LabelledSums[], question: Question): LabelledSums[] {
  const { statistic, sortData, sortDirection } = question;
  const { ownLabel } = statistics[statistic];
  const sign = sortDirection === 'asc' ? 1 : -1;
  const byLabel = (one: LabelledSums, other: LabelledSums): number =>
    (one.labels[ownLabel] ?? '') < (other.labels[ownLabel] ?? '') ? -1 : 1;
  const byTarget = (one: LabelledSums, other: LabelledSums): number => {
    if (isMeasure(sortData)) return measured(sortData, one.sums) - measured(sortData, other.sums);
    return byLabel(one, other);
  };
  return [...rows].sort((one, other) => sign * byTarget(one, other) || byLabel(one, other));
}
