/** What a mail says, in plain text and, of a report, as a page. */
import type { CountrySource } from '../../vocabulary/country-source.ts';
import type { MessageType } from '../../wire/management/deliveries.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import { describeBasis, describeQualityBasis } from '../../wire/questions/bases.ts';
import type { AlertData, Message, ReportData } from '../evaluation/messages.ts';
import { localText, rowName, titleOf, valueText, valueWithBasis } from './mail-values.ts';
import { writeReportPage } from './report-page.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
  /** For mail programs that show pages. */
  readonly html?: string;
}

/** From the message that a webhook would receive. */
export function writeMail(body: string, countrySource: CountrySource): MailText {
  const message = JSON.parse(body) as Message<AlertData> | Message<ReportData>;
  return 'reportId' in message.data
    ? writeReport(message.data, countrySource)
    : writeAlert(message.type, message.data);
}

function writeAlert(type: MessageType, data: AlertData): MailText {
  const { name, terms, from, to, timeZone, value, expected } = data;
  const about = { measure: 'playback', ...terms }.measure;
  const title = terms.kind === 'silence' ? '' : titleOf(about);
  const shown = (number: number | null) => valueText(about, number);
  const isTest = type === 'alert.test';
  const isResolved = type === 'alert.resolved';
  const lines: Record<typeof terms.kind, string> = {
    threshold: `${title}: ${shown(value)} (${limitOf(terms, shown)})`,
    drop: `${title}: ${shown(value)}; ${shown(expected)} on the same weekday before`,
    silence: silenceText[type],
  };
  return {
    subject: `${isTest ? 'Test' : isResolved ? 'Resolved' : 'Alert'}: ${name}`,
    text: [
      ...(isTest ? ['This is a test: whether the alert fires or not, it came.'] : []),
      lines[terms.kind],
      `Time: ${localText(from, timeZone)} to ${localText(to, timeZone)} (${timeZone})`,
      ...(terms.filters === null ? [] : [`Only: ${terms.filters}`]),
      '',
    ].join('\n'),
  };
}

const silenceText: Readonly<Record<MessageType, string>> = {
  'alert.firing': 'Nothing played.',
  'alert.resolved': 'Videos play again.',
  'alert.test': 'The alert fires when nothing plays for this time:',
  'report.ready': '',
};

function limitOf(terms: AlertData['terms'], shown: (number: number | null) => string): string {
  if (terms.kind !== 'threshold') return '';
  const { above, below } = terms;
  return above === null ? `limit: below ${shown(below)}` : `limit: above ${shown(above)}`;
}

function writeReport(data: ReportData, { attribution }: CountrySource): MailText {
  const { name, sdate, edate, timeZone, terms, totals, viewerBasis, qualityBasis } = data;
  const { previous, list, days } = data;
  const { measures, dimension } = terms;
  return {
    subject: `${name}: ${sdate} to ${edate}`,
    text: [
      `${sdate} to ${edate} (${timeZone})`,
      ...(terms.filters === null ? [] : [`Only: ${terms.filters}`]),
      '',
      ...measures.map((measure) => totalLine(measure, totals, previous.totals)),
      ...(viewerBasis ? [describeBasis(viewerBasis)] : []),
      ...(qualityBasis ? [describeQualityBasis(qualityBasis)] : []),
      '',
      `Before: ${previous.sdate} to ${previous.edate}`,
      ...(dimension === null ? [] : ['', `By ${dimension}:`]),
      ...list.map((row, index) => `${index + 1}. ${rowText(row, dimension ?? '', measures)}`),
      ...(dimension === 'country' && attribution ? ['', attribution] : []),
      '',
    ].join('\n'),
    ...(days && {
      html: writeReportPage({ ...data, days }, dimension === 'country' ? attribution : undefined),
    }),
  };
}

function totalLine(measure: string, totals: MeasureValues, before: MeasureValues): string {
  const of = (values: MeasureValues) => valueWithBasis(measure, values);
  return `${titleOf(measure)}: ${of(totals)} (before: ${of(before)})`;
}

function rowText(row: QueryRow, dimension: string, measures: readonly string[]): string {
  const { key, title } = rowName(row, dimension);
  const values = measures.map((measure) => `${titleOf(measure)} ${valueWithBasis(measure, row)}`);
  return `${title === undefined ? key : `${title} (${key})`}: ${values.join(', ')}`;
}
