/** One attempt to send a message by mail. */
import { createTransport } from 'nodemailer';
import type { Attempt, ClaimedDelivery } from '../../catalog/catalog.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import {
  type AudienceMeasureName,
  audienceMeasure,
  leastViewsOfShare,
} from '../../vocabulary/measures.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import { describeBasis, describeQualityBasis } from '../../wire/questions/bases.ts';
import type { AlertData, Message, ReportData } from '../evaluation/messages.ts';

/** Of each step: connecting, the greeting, and every answer. */
const stepMs = 10_000;
/** Codes of 5xx are for good: the mailbox does not exist, or refuses. */
const refusedForGood = 500;

interface MailServer {
  /** smtp://user:password@host:port, or smtps:// for TLS from the start. */
  readonly url: string;
  readonly from: string;
  readonly countrySource: CountrySource;
}

type SendMail = (
  delivery: Pick<ClaimedDelivery, 'receiver' | 'messageId' | 'body'>,
) => Promise<Attempt>;

/** Never rejects: what went wrong is in the attempt. */
export function createSendMail({ url, from, countrySource }: MailServer): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isTls ? 465 : 587)),
    secure: isTls,
    // A password is never sent in the clear; without one, TLS is used where it is offered.
    requireTLS: !isTls && username !== '' && !isOwnMachine(hostname),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...{ connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs },
    ...{ disableFileAccess: true, disableUrlAccess: true, logger: false },
  });
  const host = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return async ({ receiver, messageId, body }) => {
    try {
      await transport.sendMail({
        ...{
          from,
          to: receiver,
          messageId: `<${messageId}@${host}>`,
          ...writeMail(body, countrySource),
        },
        headers: { 'auto-submitted': 'auto-generated' },
      });
      return { isDelivered: true, isFinal: true, status: 250, error: undefined };
    } catch (error) {
      return failureOf(error);
    }
  };
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

/** The server's text may say whose password was wrong: only its code is shown. */
function failureOf(error: unknown): Attempt {
  const { responseCode: status, code } = error as { responseCode?: number; code?: string };
  const isFinal = status !== undefined && status >= refusedForGood && code === 'EENVELOPE';
  const answered = status === undefined ? '' : ` (SMTP ${status})`;
  return { isDelivered: false, isFinal, status, error: `${code ?? 'not sent'}${answered}` };
}

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What a mail says, in plain text, from the message that a webhook would receive. */
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
  const { name, sdate, edate, timeZone, terms, totals, viewerBasis, qualityBasis, previous, list } =
    data;
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
  };
}

function totalLine(measure: string, totals: MeasureValues, before: MeasureValues): string {
  const of = (values: MeasureValues) => valueWithBasis(measure, values);
  return `${measure}: ${of(totals)} (before: ${of(before)})`;
}

/** Content has a title beside its key. */
function rowText(row: QueryRow, dimension: string, measures: readonly string[]): string {
  const title = row[`${dimension}Title`] ?? row[`${dimension}Name`];
  const key = String(row[dimension] ?? '');
  const values = measures.map((measure) => `${measure} ${valueWithBasis(measure, row)}`);
  const shown = typeof title === 'string' && title !== '' ? `${title} (${key})` : key;
  return `${shown}: ${values.join(', ')}`;
}

/** A share is followed by the number of views that it rests on; of fewer than five, that number alone. */
function valueWithBasis(measure: string, values: QueryRow): string {
  const [value, views] = [values[measure], values.positionedViews];
  const number = typeof value === 'number' ? value : null;
  const { unit, needs } = audienceMeasure(measure as AudienceMeasureName);
  if (unit !== '0 to 1' || needs !== 'position' || number === null || typeof views !== 'number') {
    return valueText(measure, number);
  }
  const shown = views < leastViewsOfShare ? '–' : valueText(measure, number);
  return `${shown} of ${valueText('views', views)} ${views === 1 ? 'view' : 'views'}`;
}

function valueText(measure: string, value: number | null): string {
  if (value === null) return 'unknown';
  const { unit, needs } = audienceMeasure(measure as AudienceMeasureName);
  const number = value.toLocaleString('en', { maximumFractionDigits: unit === '1/h' ? 4 : 1 });
  if (unit === '0 to 1') return `${(value * 100).toFixed(2)} %`;
  if (unit === '1/h') return `${number} an hour`;
  if (unit === 'kbit/s') return `${number} kbit/s`;
  if (unit === 'ms') return needs === 'waits' ? `${number} ms` : durationText(value);
  return number;
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
