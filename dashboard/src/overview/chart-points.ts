/** The rows of an answer by time, as a chart draws them. */
import { todayIn } from '../calendar.ts';
import type { TimePoint } from '../charts/time-chart.tsx';
import type { Formats } from '../formats.ts';
import { drawnValue, valueOfNothing } from '../measures.ts';
import type { Row } from '../questions.ts';
import type { View } from '../view.ts';

export function chartPoints(
  rows: readonly Row[],
  { measure, interval, compare }: Pick<View, 'measure' | 'interval' | 'compare'>,
  formats: Formats,
  timeZone: string,
  now = new Date(),
): TimePoint[] {
  return (
    rows
      // While another interval or measure is on its way, the rows of the last one are still there.
      .filter((row) => typeof row[interval] === 'string' && measure in row)
      .map((row): TimePoint => {
        const label = row[interval] ?? '';
        const isBegun = !isAhead(label, timeZone, now);
        const before = drawnValue(row.previous, measure) ?? valueOfNothing(measure);
        const isCompared = compare !== 'none' && row.previous !== undefined;
        return {
          short: formats.time(label, interval),
          long: formats.time(label, interval, 'long'),
          value: isBegun ? (drawnValue(row, measure) ?? null) : null,
          before: isCompared ? (isBegun ? before : null) : undefined,
        };
      })
  );
}

/** What has not begun has no value yet, not even 0. */
function isAhead(label: string, timeZone: string, now: Date): boolean {
  return label.length > 10 ? Date.parse(label) > now.getTime() : label > todayIn(timeZone, now);
}
