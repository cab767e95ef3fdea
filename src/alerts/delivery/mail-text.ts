/** What a mail says, in plain text, from the message that a webhook would receive. */

import type { CountrySource } from '../../vocabulary/country-source.ts';
import { type AudienceMeasureName, audienceMeasure } from '../../vocabulary/measures.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import { describeBasis } from '../../wire/questions/viewer-basis.ts';
import type { AlertData, Message, ReportData } from '../evaluation/messages.ts';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

export function writeMail(body: string, countrySource: CountrySource): MailText {
  const message = JSON.parse(body) as Message<AlertData> | Message<ReportData>;
  return 'reportId' in message.data
    ? writeReport(message.data, countrySource)
    : writeAlert(message.type === 'alert.resolved', message.data);
}

function writeAlert(isResolved: boolean, data: AlertData): MailText {
  const { name, terms, from, to, timeZone, value, expected } = data;
  const about = { measure: 'playback', ...terms }.measure;
  const shown = (number: number | null) => valueText(about, number);
  const lines: Record<typeof terms.kind, string> = {
    threshold: `${about}: ${shown(value)} (${limitOf(terms)})`,
    drop: `${about}: ${shown(value)}; ${shown(expected)} on the same weekday before`,
    silence: isResolved ? 'Videos play again.' : 'Nothing played.',
  };
  return {
    subject: `${isResolved ? 'Resolved' : 'Alert'}: ${name}`,
    text: [
      lines[terms.kind],
      `Time: ${localText(from, timeZone)} to ${localText(to, timeZone)} (${timeZone})`,
      ...(terms.filters === null ? [] : [`Only: ${terms.filters}`]),
      '',
    ].join('\n'),
  };
}

function limitOf(terms: AlertData['terms']): string {
  if (terms.kind !== 'threshold') return '';
  return terms.above === null ? `limit: below ${terms.below}` : `limit: above ${terms.above}`;
}

function writeReport(data: ReportData, { attribution }: CountrySource): MailText {
  const { name, sdate, edate, timeZone, terms, totals, viewerBasis, previous, list } = data;
  const { measures, dimension } = terms;
  return {
    subject: `${name}: ${sdate} to ${edate}`,
    text: [
      `${sdate} to ${edate} (${timeZone})`,
      ...(terms.filters === null ? [] : [`Only: ${terms.filters}`]),
      '',
      ...measures.map((measure) => totalLine(measure, totals, previous.totals)),
      ...(viewerBasis ? [describeBasis(viewerBasis)] : []),
      '',
      `Before: ${previous.sdate} to ${previous.edate}`,
      ...(dimension === null ? [] : ['', `By ${dimension}:`]),
      ...list.map((row, index) => `${index + 1}. ${rowText(row, dimension ?? '', measures)}`),
      ...(dimension === 'country' && attribution ? ['', attribution] : []),
      '',
    ].join('\n'),
  };
}

function totalLine(measure: string, totals: MeasureValues, before: MeasureValues): string {
  const of = (values: MeasureValues) => valueText(measure, values[measure] ?? null);
  return `${measure}: ${of(totals)} (before: ${of(before)})`;
}

/** Content has a title beside its key. */
function rowText(row: QueryRow, dimension: string, measures: readonly string[]): string {
  const title = row[`${dimension}Title`] ?? row[`${dimension}Name`];
  const key = String(row[dimension] ?? '');
  const values = measures.map((measure) => {
    const value = row[measure];
    return `${measure} ${valueText(measure, typeof value === 'number' ? value : null)}`;
  });
  const shown = typeof title === 'string' && title !== '' ? `${title} (${key})` : key;
  return `${shown}: ${values.join(', ')}`;
}

function valueText(measure: string, value: number | null): string {
  if (value === null) return 'unknown';
  const { unit } = audienceMeasure(measure as AudienceMeasureName);
  if (unit === 'ms') return durationText(value);
  if (unit === '0 to 1') return `${(value * 100).toFixed(2)} %`;
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}

function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours.toLocaleString('en')} h ${minutes} min ${seconds % 60} s`;
}

function localText(instant: string, timeZone: string): string {
  const form = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv', form).format(new Date(instant));
}
