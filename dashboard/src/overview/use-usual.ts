import { addDays } from '../calendar.ts';
import { usePerson } from '../frame/person.tsx';
import { drawnValue, isOfQuality } from '../measures.ts';
import { useQuestion, useView } from '../statistics.ts';
import { chartQuestion } from './chart-question.ts';
import { usualBand, weeksBefore } from './usual-band.ts';

/** The band of a day of the chart, where it is by days; asked once the chart itself stands. */
export function useUsual(accessKey: string | undefined, isReady: boolean) {
  const { shared } = usePerson();
  const { view } = useView();
  const { measure, interval, from, to } = view;
  // A share has the days that it was made for, and no others.
  const enabled = isReady && interval === 'date' && !shared && !isOfQuality(measure);
  const range = { from: addDays(from, -7 * weeksBefore), to: addDays(to, -7) };
  const question = chartQuestion({ ...view, ...range, compare: 'none' }, accessKey);
  const { data, isPlaceholderData } = useQuestion(question, { enabled });
  if (!enabled || !data || isPlaceholderData) return undefined;
  const values = new Map(
    data.rows.map((row) => [row.date ?? '', drawnValue(row, measure) ?? null] as const),
  );
  return (day: string) => usualBand(day, values);
}
