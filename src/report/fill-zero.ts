import { daysOf, hoursOf } from '../lib/time-zone.ts';
import type { Question } from './question.ts';
import type { Sum } from './sum.ts';

/** Puts in the days or hours without playback; systems have no list to be filled from. */
export function fillZero(sums: readonly Sum[], question: Question): Sum[] {
  const { firstDay, lastDay, timeZone } = question;
  const known = new Set(sums.map(({ labels }) => labels.hour ?? labels.date));
  const empty = (labels: Sum['labels']): Sum => ({ labels, plays: 0, playMs: 0 });
  switch (question.statistic) {
    case 'date': {
      const days = daysOf(firstDay, lastDay).filter((date) => !known.has(date));
      return [...sums, ...days.map((date) => empty({ date }))];
    }
    case 'hour': {
      const hours = hoursOf(firstDay, timeZone).filter((hour) => !known.has(hour));
      return [...sums, ...hours.map((hour) => empty({ date: firstDay, hour }))];
    }
    default:
      return [...sums];
  }
}
