/** The rows of an answer by time, as a chart draws them. */
import { todayIn } from '../calendar.ts';
import type { TimePoint } from '../charts/time-chart.tsx';
import { usePerson } from '../frame/person.tsx';
import { useReader } from '../language.tsx';
import type { Measure } from '../measures.ts';
import type { Row } from '../questions.ts';
import { useView } from '../statistics.ts';

export function useChartPoints(rows: readonly Row[]): TimePoint[] {
  const { formats } = useReader();
  const { timeZone } = usePerson();
  const { view } = useView();
  const { measure, interval } = view;
  const isCompared = view.compare !== 'none';
  return (
    rows
      // While another interval is on its way, the rows of the last one are still there.
      .filter((row) => typeof row[interval] === 'string')
      .map((row): TimePoint => {
        const label = row[interval] ?? '';
        const isBegun = !isAhead(label, timeZone);
        const before = row.previous?.[measure] ?? nothingAs(measure);
        return {
          short: formats.time(label, interval),
          long: formats.time(label, interval, 'long'),
          value: isBegun ? (row[measure] ?? null) : null,
          before: isCompared ? (isBegun ? before : null) : undefined,
        };
      })
  );
}

/** What has not begun has no value yet, not even 0. */
function isAhead(label: string, timeZone: string): boolean {
  return label.length > 10 ? Date.parse(label) > Date.now() : label > todayIn(timeZone);
}

/** Where nothing was played, that is 0 plays, but no average. */
function nothingAs(measure: Measure): 0 | null {
  return measure === 'averagePlayMs' || measure === 'averageSeen' ? null : 0;
}
