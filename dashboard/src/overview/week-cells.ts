/** The hours of a week, as rows of days, out of an answer by `hourOfWeek`. */
import { drawnValue, type Measure, valueOfNothing } from '../measures.ts';
import type { Row } from '../questions.ts';

export const weekdays = [1, 2, 3, 4, 5, 6, 7];
export const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

/** Null: there is no value, as of an average of nothing. */
export type WeekCells = readonly (readonly (number | null)[])[];

/** Undefined until the hours are read: nobody knows yet whether anything was played in them. */
export function weekCells(
  rows: readonly Row[] | undefined,
  measure: Measure,
): WeekCells | undefined {
  if (rows === undefined) return undefined;
  const found = new Map(rows.map((row) => [row.hourOfWeek, drawnValue(row, measure) ?? null]));
  return weekdays.map((weekday) =>
    hours.map((hour) => {
      const value = found.get(`${weekday}-${hour}`);
      return value === undefined ? valueOfNothing(measure) : value;
    }),
  );
}
