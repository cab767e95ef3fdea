import { addDays, addMonths, daysBetween } from '../calendar.ts';
import { rangeBefore, type View } from '../view.ts';

/**
 * The time that one of the chart is compared with, as a label of the interface: the one at the same
 * place of the range before. Undefined if nothing is compared.
 */
export function labelBefore(
  label: string,
  view: Pick<View, 'from' | 'to' | 'compare' | 'interval'>,
): string | undefined {
  const { from, compare, interval } = view;
  if (compare === 'none') return undefined;
  const before = rangeBefore(view, compare).from;
  const [first, firstBefore] = [startOf(from, interval), startOf(before, interval)];
  if (interval === 'month') return addMonths(firstBefore, monthsBetween(first, label));
  const day = label.slice(0, 10);
  return addDays(firstBefore, daysBetween(first, day) - 1) + label.slice(10);
}

function startOf(day: string, interval: View['interval']): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  if (interval !== 'week') return day;
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -sinceMonday);
}

function monthsBetween(one: string, other: string): number {
  const months = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(other) - months(one);
}
