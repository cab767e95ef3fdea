import { isTime, statistics, type TimeDimension } from '../../vocabulary/statistics.ts';
import type { Question } from '../parse/question.ts';
import { calendarSpans, daysIn, hoursIn, type LocalSpan } from '../ranges/local-days.ts';
import { type LabelledSums, measured, noSums } from './labelled-sums.ts';
import { isMeasure } from './row-order.ts';

/** All labels within some slots, whether or not anything was played. */
const labelsIn: Readonly<Record<TimeDimension, (spans: readonly LocalSpan[]) => string[]>> = {
  date: daysIn,
  hour: hoursIn,
};

/**
 * Adds the days or hours without playback, in order, except those that the zone's clock skipped.
 * Attributes have no list to fill in from.
 */
export function fillZero(rows: readonly LabelledSums[], question: Question): LabelledSums[] {
  const { statistic, firstDay, lastDay, timeZone, given } = question;
  const { ownLabel } = statistics[statistic];
  if (!isTime(ownLabel)) return [...rows];
  const known = new Set(rows.map(({ labels }) => labels[ownLabel]));
  const labels = labelsIn[ownLabel](calendarSpans(firstDay, lastDay, timeZone));
  const missing = labels.filter((label) => !known.has(label));
  const filled = missing.map((label) => ({
    labels: { ...given, [ownLabel]: label },
    sums: noSums,
  }));
  return inOrderOfTime([...rows, ...filled], question);
}

/**
 * The order of row-order.ts, once days or hours were filled in; otherwise the store orders the rows.
 * Labels of times sort as text.
 */
function inOrderOfTime(rows: readonly LabelledSums[], question: Question): LabelledSums[] {
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
