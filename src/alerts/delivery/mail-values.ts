/** Figures as mails write them. */
import {
  type AudienceMeasureName,
  audienceMeasure,
  leastViewsOfShare,
} from '../../vocabulary/measures.ts';
import type { QueryRow } from '../../wire/questions/audience-messages.ts';

export const titleOf = (measure: string): string =>
  audienceMeasure(measure as AudienceMeasureName).title;

/** Content has a title beside its key. */
export function rowName(row: QueryRow, dimension: string): { key: string; title?: string } {
  const title = row[`${dimension}Title`] ?? row[`${dimension}Name`];
  const key = String(row[dimension] ?? '');
  return typeof title === 'string' && title !== '' ? { key, title } : { key };
}

/** A share is followed by the number of views that it rests on; of fewer than five, that number alone. */
export function valueWithBasis(measure: string, values: QueryRow): string {
  const [value, views] = [values[measure], values.positionedViews];
  const number = typeof value === 'number' ? value : null;
  const { unit, needs } = audienceMeasure(measure as AudienceMeasureName);
  if (unit !== '0 to 1' || needs !== 'position' || number === null || typeof views !== 'number') {
    return valueText(measure, number);
  }
  const shown = views < leastViewsOfShare ? '–' : valueText(measure, number);
  return `${shown} of ${valueText('views', views)} ${views === 1 ? 'view' : 'views'}`;
}

export function valueText(measure: string, value: number | null): string {
  if (value === null) return 'unknown';
  const { unit, needs } = audienceMeasure(measure as AudienceMeasureName);
  // Waits are short, but for what stalls come to together.
  const isShort = needs === 'waits' && value < 60_000;
  const number = value.toLocaleString('en', { maximumFractionDigits: unit === '1/h' ? 4 : 1 });
  if (unit === '0 to 1') return `${(value * 100).toFixed(2)} %`;
  if (unit === '1/h') return `${number} an hour`;
  if (unit === 'kbit/s') return `${number} kbit/s`;
  if (unit === 'ms') return isShort ? secondsText(value) : durationText(value);
  return number;
}

function secondsText(durationMs: number): string {
  return `${(durationMs / 1_000).toLocaleString('en', { maximumFractionDigits: 2 })} s`;
}

function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours.toLocaleString('en')} h ${minutes} min ${seconds % 60} s`;
}

export function localText(instant: string, timeZone: string): string {
  const form = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv', form).format(new Date(instant));
}
