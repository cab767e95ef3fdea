import { isTime, statistics } from '../../vocabulary/statistics.ts';
import type { Question } from '../parse/question.ts';
import { calendarSpans } from '../ranges/local-days.ts';
import { type LabelledSums, noSums } from './labelled-sums.ts';
import { timeLabels } from './time-labels.ts';
import { inOrderOfTime } from './time-order.ts';

/**
 * Adds the days or hours without playback, in order, except those that the zone's clock skipped.
 * Attributes have no list to fill in from.
 */
export function fillZero(rows: readonly LabelledSums[], question: Question): LabelledSums[] {
  const { statistic, firstDay, lastDay, timeZone, given } = question;
  const { ownLabel } = statistics[statistic];
  if (!isTime(ownLabel)) return [...rows];
  const known = new Set(rows.map(({ labels }) => labels[ownLabel]));
  const labels = timeLabels[ownLabel].labelsIn(calendarSpans(firstDay, lastDay, timeZone));
  const missing = labels.filter((label) => !known.has(label));
  const filled = missing.map((label) => ({
    labels: { ...given, [ownLabel]: label },
    sums: noSums,
  }));
  return inOrderOfTime([...rows, ...filled], question);
}
