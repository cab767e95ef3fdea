/** The rows of an answer by time, as a chart draws them. */
import { todayIn } from '../calendar.ts';
import type { TimePoint } from '../charts/time-chart.tsx';
import type { Formats } from '../formats.ts';
import { drawnValue, valueOfNothing } from '../measures.ts';
import type { Row } from '../questions.ts';
import type { View } from '../view.ts';
import { labelBefore } from './label-before.ts';

interface Drawn extends Pick<View, 'measure' | 'interval' | 'from' | 'to' | 'compare'> {
  /** With the period before. */
  readonly isCompared: boolean;
  /** Of something else in the same period. */
  readonly otherRows?: readonly Row[] | undefined;
  readonly usual?: ((day: string) => TimePoint['usual']) | undefined;
}

export function chartPoints(
  rows: readonly Row[],
  drawn: Drawn,
  formats: Formats,
  timeZone: string,
  now = new Date(),
): TimePoint[] {
  const { measure, interval, isCompared, otherRows, usual } = drawn;
  const others = new Map(otherRows?.map((row) => [row[interval], row]));
  return (
    rows
      // While another interval or measure is on its way, the rows of the last one are still there.
      .filter((row) => typeof row[interval] === 'string' && measure in row)
      .map((row): TimePoint => {
        const label = row[interval] ?? '';
        const isBegun = !isAhead(label, timeZone, now);
        const before = drawnValue(row.previous, measure) ?? valueOfNothing(measure);
        const hasBefore = isCompared && row.previous !== undefined;
        const labelled = hasBefore ? labelBefore(label, drawn) : undefined;
        const other = drawnValue(others.get(label), measure);
        return {
          label,
          short: formats.time(label, interval),
          long: formats.time(label, interval, 'long'),
          value: isBegun ? (drawnValue(row, measure) ?? null) : null,
          before: hasBefore ? (isBegun ? before : null) : undefined,
          beforeLong: labelled && formats.time(labelled, interval, 'long'),
          ...(otherRows && { other: isBegun ? (other ?? null) : null }),
          usual: usual?.(label),
        };
      })
  );
}

/** What has not begun has no value yet, not even 0. */
function isAhead(label: string, timeZone: string, now: Date): boolean {
  return label.length > 10 ? Date.parse(label) > now.getTime() : label > todayIn(timeZone, now);
}
