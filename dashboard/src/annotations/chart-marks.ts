/** Where notes stand in a chart over time. */
import { todayIn } from '../calendar.ts';
import type { ChartMark } from '../charts/marks.tsx';
import type { Interval, Range } from '../view.ts';

/** A note of a chart: an annotation, or that a video came out in a package. */
export interface ChartNote {
  readonly key: string;
  readonly at: string;
  /** Exclusive; null: it is of one moment. */
  readonly until: string | null;
  readonly text: string;
}

/** Those that touch the days of a range. */
export function notesWithin<Note extends Pick<ChartNote, 'at' | 'until'>>(
  notes: readonly Note[],
  { from, to }: Range,
  timeZone: string,
): Note[] {
  return notes.filter(
    ({ at, until }) => dayOf(at, timeZone) <= to && lastDayOf(at, until, timeZone) >= from,
  );
}

/** `labels`: of the chart's points, by time. */
export function chartMarks(
  notes: readonly ChartNote[],
  labels: readonly string[],
  interval: Interval,
  timeZone: string,
): ChartMark[] {
  const placeOf = (instant: string) => {
    const day = dayOf(instant, timeZone);
    const isBegun = (label: string) =>
      interval === 'hour' ? Date.parse(label) <= Date.parse(instant) : label <= day;
    return Math.max(0, labels.findLastIndex(isBegun));
  };
  if (labels.length === 0) return [];
  return notes.map(({ key, at, until, text }) => {
    const index = placeOf(at);
    const last = until === null ? index : placeOf(justBefore(until));
    return { key, index, lastIndex: Math.max(index, last), text };
  });
}

function lastDayOf(at: string, until: string | null, timeZone: string): string {
  return dayOf(until === null ? at : justBefore(until), timeZone);
}

const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();
const dayOf = (instant: string, timeZone: string) => todayIn(timeZone, new Date(instant));
