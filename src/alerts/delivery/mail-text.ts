/** What a mail says, in plain text and, of a report, as a page. */
import type { ClaimedDelivery } from '../../catalog/catalog.ts';
import { isolateName } from '../../lib/values/isolated-name.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import type { MessageType } from '../../wire/management/deliveries.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import { describeBasis, describeQualityBasis } from '../../wire/questions/bases.ts';
import type { AlertData, Message, ReportData } from '../evaluation/messages.ts';
import { dashboardPath } from './dashboard-path.ts';
import { localText, rowName, titleOf, valueText, valueWithBasis } from './mail-values.ts';
import { type MailOrigin, writeReportPage } from './report-page.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
  /** For mail programs that show pages. */
  readonly html?: string;
}

export type MailedDelivery = Pick<ClaimedDelivery, 'accountId' | 'accountName' | 'body'>;

export interface MailSettings {
  readonly countrySource: CountrySource;
  /** Without a slash at its end; undefined: mails have no link. */
  readonly publicUrl: string | undefined;
}

/** From the message that a webhook would receive. */
export function writeMail(
  { accountId, accountName, body }: MailedDelivery,
  { countrySource, publicUrl }: MailSettings,
): MailText {
  const message = JSON.parse(body) as Message<AlertData> | Message<ReportData>;
  const { data } = message;
  const hasCountries = 'reportId' in data && data.terms.dimension === 'country';
  const origin: MailOrigin = {
    accountName: isolateName(accountName),
    link: publicUrl && publicUrl + dashboardPath(accountId, data),
    attribution: hasCountries ? countrySource.attribution : undefined,
  };
  return 'reportId' in data ? writeReport(data, origin) : writeAlert(message.type, data, origin);
}

function originLines({ accountName, link, attribution }: MailOrigin): string[] {
  return [
    ...(attribution ? ['', attribution] : []),
    ...['', `Account: ${accountName}`],
    ...(link ? [`Dashboard: ${link}`] : []),
    '',
  ];
}

function writeAlert(type: MessageType, data: AlertData, origin: MailOrigin): MailText {
  const { name, terms, from, to, timeZone, value, expected } = data;
  const about = { measure: 'playback', ...terms }.measure;
  const title = terms.kind === 'silence' ? '' : titleOf(about);
  const shown = (number: number | null) => valueText(about, number);
  const isTest = type === 'alert.test';
  const isResolved = type === 'alert.resolved';
  const lines: Record<typeof terms.kind, string> = {
    threshold: `${title}: ${shown(value)} (${describeLimit(terms, shown)})`,
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
      ...originLines(origin),
    ].join('\n'),
  };
}

const silenceText: Readonly<Record<MessageType, string>> = {
  'alert.firing': 'Nothing played.',
  'alert.resolved': 'Videos play again.',
  'alert.test': 'The alert fires when nothing plays for this time:',
  'report.ready': '',
};

function describeLimit(
  terms: AlertData['terms'],
  shown: (number: number | null) => string,
): string {
  if (terms.kind !== 'threshold') return '';
  const { above, below } = terms;
  return above === null ? `limit: below ${shown(below)}` : `limit: above ${shown(above)}`;
}

function writeReport(data: ReportData, origin: MailOrigin): MailText {
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
      ...originLines(origin),
    ].join('\n'),
    ...(days && { html: writeReportPage({ ...data, days }, origin) }),
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
