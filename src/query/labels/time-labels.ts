/** Labels of times: from the keys that rows are grouped by, and of all intervals of a range. */
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { dayMs, findMonday } from '../../lib/time/utc-day.ts';
import { remembered } from '../../lib/values/memo.ts';
import { slotMs } from '../../store/facts.ts';
import { isTime, type TimeDimension } from '../../vocabulary/dimensions.ts';
import { createMatch, type Filter } from '../parse/filter-parser.ts';
import { findClock, type LocalSpan } from '../ranges/local-days.ts';
import { type HourStart, hourStarts, offsetText } from '../ranges/local-hours.ts';
import { dayInterval } from './dimension-sql.ts';
import type { Label } from './label.ts';

const hourMs = 3_600_000;
const portionSteps = 5_000;

/** The keys of an hour. */
function keysOfHour(name: TimeDimension, { localMs, offsetMs }: HourStart): string[] {
  const local = new Date(localMs);
  const date = local.toISOString();
  switch (name) {
    case 'hour':
      return [String(localMs / 1_000), String(offsetMs / 1_000)];
    case 'date':
      return [date.slice(0, 10)];
    case 'week':
      return [findMonday(localMs)];
    case 'month':
      return [`${date.slice(0, 7)}-01`];
    case 'year':
      return [`${date.slice(0, 4)}-01-01`];
    case 'hourOfDay':
      return [String(local.getUTCHours())];
    case 'weekday':
      return [String(local.getUTCDay() || 7)];
    case 'hourOfWeek':
      return [String((local.getUTCDay() || 7) * 100 + local.getUTCHours())];
  }
}

/** The zone's spans in a range, and its first day. */
export interface Calendar {
  readonly firstDay: string;
  readonly spans: readonly LocalSpan[];
}

/** Reads the keys that the store groups by. */
export type ReadLabel = (keys: readonly string[]) => Label;

export function timeLabels(name: TimeDimension, calendar: Calendar): ReadLabel {
  const { firstDay } = calendar;
  switch (name) {
    case 'hour':
      return hourLabels(calendar);
    case 'hourOfDay':
      return ([key = '']) => {
        const value = key.padStart(2, '0');
        return { value, order: value, place: value };
      };
    case 'weekday':
      return ([key = '']) => ({ value: key, order: key, place: key });
    case 'hourOfWeek':
      return ([key = '']) => {
        const value = `${key.slice(0, 1)}-${key.slice(1)}`;
        return { value, order: value, place: value };
      };
    case 'date':
      return ([key = '']) => ({ value: key, order: key, place: daysBetween(firstDay, key) });
    case 'week': {
      const firstMonday = findMonday(Date.parse(firstDay));
      return ([key = '']) => ({ value: key, order: key, place: daysBetween(firstMonday, key) });
    }
    case 'month':
      return ([key = '']) => ({
        value: key,
        order: key,
        place: findMonth(key) - findMonth(firstDay),
      });
    case 'year':
      return ([key = '']) => ({
        value: key,
        order: key,
        place: findYear(key) - findYear(firstDay),
      });
  }
}

/** A year has up to 8,784 of them: what they share is made once. */
function hourLabels({ firstDay, spans }: Calendar): ReadLabel {
  const firstMs = Date.parse(firstDay);
  const dateOf = textOnce((day) => new Date(day * dayMs).toISOString().slice(0, 10));
  const timeOf = textOnce((msOfDay) => new Date(msOfDay).toISOString().slice(10, 19));
  const offsetOf = textOnce(offsetText);
  return ([key = '', offset = '']) => {
    const [localMs, offsetMs] = [Number(key) * 1_000, Number(offset) * 1_000];
    const day = Math.floor(localMs / dayMs);
    // One may begin late, where the clock is set by half an hour.
    const hours = Math.floor((localMs - firstMs) / hourMs);
    // An hour that the clock repeats has a place of its own the second time.
    const isRepeated = spans.some(
      (span) =>
        span.offsetMs > offsetMs &&
        span.fromMs + span.offsetMs < localMs + hourMs &&
        span.untilMs + span.offsetMs > localMs,
    );
    return {
      value: dateOf(day) + timeOf(localMs - day * dayMs) + offsetOf(offsetMs),
      order: localMs - offsetMs,
      place: isRepeated ? `${hours} again` : hours,
    };
  };
}

function textOnce(textOf: (number: number) => string): (number: number) => string {
  return remembered(textOf, (number) => number);
}

function daysBetween(first: string, day: string): number {
  return (Date.parse(day) - Date.parse(first)) / dayMs;
}

function findMonth(day: string): number {
  return findYear(day) * 12 + Number(day.slice(5, 7));
}

function findYear(day: string): number {
  return Number(day.slice(0, 4));
}

/** The keys of every interval of the range that the conditions on times let through, in order. */
export async function listIntervals(
  name: TimeDimension,
  calendar: Calendar,
  filters: readonly Filter[],
): Promise<string[][]> {
  const conditions = filters.flatMap((filter) => {
    const { dimension, operator } = filter;
    if (!isTime(dimension)) return [];
    const isNot = operator.startsWith('!');
    return [{ fits: createMatch(filter), isNot, dimension, read: timeLabels(dimension, calendar) }];
  });
  const intervals = new Map<string, string[]>();
  const startOf = hourStarts(findClock(calendar.spans));
  const times = [name, ...conditions.map(({ dimension }) => dimension)];
  const isOfDays = times.every((time) => dayInterval(time) !== 'within days');
  const stepMs = isOfDays ? dayMs : hourMs;
  let steps = 0;
  for (const { fromMs, untilMs, offsetMs } of calendar.spans) {
    const firstMs = Math.floor((fromMs + offsetMs) / stepMs) * stepMs;
    const lastMs = untilMs - slotMs + offsetMs;
    for (let localMs = firstMs; localMs <= lastMs; localMs += stepMs) {
      steps += 1;
      if (steps % portionSteps === 0) await nextTurn();
      const hour = isOfDays
        ? { localMs, offsetMs }
        : startOf(Math.max(localMs - offsetMs, fromMs), offsetMs);
      const isWanted = conditions.every(({ fits, isNot, dimension, read }) => {
        const label = String(read(keysOfHour(dimension, hour)).value);
        return fits(label) !== isNot;
      });
      if (!isWanted) continue;
      const keys = keysOfHour(name, hour);
      intervals.set(keys.join(' '), keys);
    }
  }
  return [...intervals.values()];
}
