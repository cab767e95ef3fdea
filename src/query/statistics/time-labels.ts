import type { TimeDimension } from '../../vocabulary/statistics.ts';
import { daysIn, hoursIn, type LocalSpan } from '../ranges/local-days.ts';

interface TimeLabel {
  /** Takes the SQL of a slot's local time. */
  readonly sql: (localTime: string) => string;
  /** All labels within some slots, whether or not anything was played. */
  readonly labelsIn: (spans: readonly LocalSpan[]) => string[];
}

export const timeLabels: Readonly<Record<TimeDimension, TimeLabel>> = {
  date: { sql: (localTime) => `toDate(${localTime})`, labelsIn: daysIn },
  hour: { sql: (localTime) => `formatDateTime(${localTime}, '%H')`, labelsIn: hoursIn },
};
