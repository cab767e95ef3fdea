/**
 * A report as a page that mail programs show: tables, and colours beside each part, for many of
 * them read neither style sheets nor SVG. Those that do get dark colours where the reader wants
 * them.
 */
import {
  type AudienceMeasureName,
  audienceMeasure,
  leastViewsOfShare,
} from '../../vocabulary/measures.ts';
import type { MeasureValues, QueryRow } from '../../wire/questions/audience-messages.ts';
import { describeBasis, describeQualityBasis } from '../../wire/questions/bases.ts';
import type { ReportData } from '../evaluation/messages.ts';
import { rowName, titleOf, valueWithBasis } from './mail-values.ts';

const chartPx = 120;
/** More bars leave no room for the day below each. */
const mostNamedDays = 10;
const everyNamedDays = 7;

const colours = {
  ground: ['background', '#f8f8f6', '#121317'],
  card: ['background', '#ffffff', '#191b20'],
  text: ['color', '#1d1f24', '#e4e6ea'],
  quiet: ['color', '#5c6069', '#a0a6b0'],
  bar: ['background', '#5470e0', '#7f97f5'],
  before: ['background', '#c9cdd6', '#4a4f5a'],
} as const;
type Colour = keyof typeof colours;

/** Where what a mail says is from. */
export interface MailOrigin {
  readonly accountName: string;
  /** To the page of the dashboard. */
  readonly link: string | undefined;
  /** Of the database of countries, where the mail has any. */
  readonly attribution: string | undefined;
}

export type ChartedReport = ReportData & { readonly days: readonly QueryRow[] };

export function writeReportPage(data: ChartedReport, origin: MailOrigin): string {
  const { name, sdate, edate, timeZone, terms, totals, viewerBasis, qualityBasis } = data;
  const { previous, list } = data;
  const { accountName, link, attribution } = origin;
  const filters = terms.filters === null ? '' : `<br>Only ${escaped(terms.filters)}`;
  const compared = `compared with ${rangeText(previous.sdate, previous.edate)}`;
  const parts = [
    `<h1 style="margin:0;font-size:22px;line-height:28px">${escaped(name)}</h1>`,
    quiet(escaped(accountName)),
    quiet(`${rangeText(sdate, edate)} (${escaped(timeZone)}), ${compared}${filters}`),
    writeTotals(terms.measures, totals, previous.totals),
    writeChart(data),
    ...(list.length === 0 ? [] : [writeRows(data)]),
    ...(viewerBasis === undefined ? [] : [quiet(describeBasis(viewerBasis))]),
    ...(qualityBasis === undefined ? [] : [quiet(describeQualityBasis(qualityBasis))]),
    ...(attribution === undefined ? [] : [quiet(escaped(attribution))]),
    ...(link === undefined ? [] : [writeLink(link)]),
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(name)}</title><style>${darkSheet()}</style></head>`,
    `<body ${coloured('ground')} style="margin:0;padding:0;${inline('ground')}">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ${coloured('ground')}`,
    ` style="${inline('ground')}"><tr><td align="center" style="padding:16px 8px">`,
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ',
    `class="card text" style="max-width:600px;border-radius:10px;${inline('card')}`,
    `${inline('text')}font:14px/20px system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">`,
    ...parts.map((part) => `<tr><td style="padding:12px 20px">${part}</td></tr>`),
    '</table></td></tr></table></body></html>',
  ].join('');
}

function writeTotals(
  measures: readonly string[],
  totals: MeasureValues,
  before: MeasureValues,
): string {
  const rows = measures.map((measure, index) => {
    const size = index === 0 ? 'font-size:28px;line-height:34px;' : '';
    const was = `before: ${valueWithBasis(measure, before)}`;
    const change = changeText(measure, totals, before);
    return (
      `<tr><th scope="row" align="left" style="padding:4px 8px 4px 0;font-weight:400">` +
      `${titleOf(measure)}</th><td align="right" style="padding:4px 0;font-weight:600;${size}">` +
      `${valueWithBasis(measure, totals)}</td></tr><tr><td colspan="2" align="right" ` +
      `class="quiet" style="${inline('quiet')}font-size:12px">` +
      `${change === '' ? was : `${change}, ${was}`}</td></tr>`
    );
  });
  return `<table width="100%" cellpadding="0" cellspacing="0">${rows.join('')}</table>`;
}

/** Of each day a bar, and beside it that of the day as far into the period before. */
function writeChart({ terms, days, sdate }: ChartedReport): string {
  const [measure = 'plays'] = terms.measures;
  const own = days.filter(({ date }) => String(date) >= sdate);
  const before = days.filter(({ date }) => String(date) < sdate);
  const heightOf = (row: QueryRow | undefined) => drawn(measure, row);
  const most = Math.max(...days.map(heightOf), Number.MIN_VALUE);
  const pairs = own.map((row, index) => ({
    row,
    values: [heightOf(before[index]), heightOf(row)],
  }));
  const bars = pairs.map(({ values: [was = 0, is = 0] }) => {
    const two = `${writeBar('before', was / most)}${writeBar('bar', is / most)}`;
    return (
      `<td valign="bottom" height="${chartPx}" style="padding:0 1px">` +
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>' +
      `${two}</tr></table></td>`
    );
  });
  const every = own.length > mostNamedDays ? everyNamedDays : 1;
  const labels = own
    .flatMap(({ date }, index) => (index % every === 0 ? [String(date)] : []))
    .map((date, index) => {
      const span = Math.min(every, own.length - index * every);
      const day = every === 1 ? dayText(date).replace(' ', '<br>') : String(Number(date.slice(8)));
      return `<td colspan="${span}" align="${every === 1 ? 'center' : 'left'}">${day}</td>`;
    });
  const said = own.map((row) => `${dayText(String(row.date))} ${valueWithBasis(measure, row)}`);
  return (
    `<h2 style="margin:0 0 8px;font-size:16px">${titleOf(measure)} by day</h2>` +
    `<div role="img" aria-label="${escaped(`${titleOf(measure)} by day: ${said.join(', ')}`)}">` +
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ' +
    `style="table-layout:fixed"><tr>${bars.join('')}</tr><tr class="quiet" ` +
    `style="${inline('quiet')}font-size:12px">${labels.join('')}</tr></table></div>` +
    quiet(`${swatch('bar')} this period &nbsp; ${swatch('before')} the period before`)
  );
}

function writeBar(colour: Colour, share: number): string {
  const px = Math.round(share * chartPx);
  const bar =
    px === 0
      ? ''
      : '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>' +
        `<td ${coloured(colour)} height="${px}" style="${inline(colour)}height:${px}px;` +
        'font-size:0;line-height:0">&nbsp;</td></tr></table>';
  return `<td width="50%" valign="bottom" style="padding:0">${bar}</td>`;
}

function writeRows({ terms, list }: ReportData): string {
  const { measures, dimension } = terms;
  const [first = 'plays', ...others] = measures;
  const most = Math.max(...list.map((row) => drawn(first, row)), Number.MIN_VALUE);
  const rows = list.map((row, index) => {
    const { key, title = key } = rowName(row, dimension ?? '');
    const change = changeText(first, row, (row.previous ?? {}) as MeasureValues);
    const further = others.map((one) => `${titleOf(one)}: ${valueWithBasis(one, row)}`);
    const width = Math.max(1, Math.round((drawn(first, row) / most) * 100));
    return (
      '<tr><td style="padding:8px 8px 0 0;word-break:break-word">' +
      `${index + 1}. ${escaped(title === '' ? 'Unknown' : title)}</td>` +
      `<td align="right" valign="top" style="padding:8px 0 0;font-weight:600">` +
      `${valueWithBasis(first, row)}</td></tr>` +
      '<tr><td colspan="2" style="padding:4px 0"><table role="presentation" ' +
      `width="${width}%" cellpadding="0" cellspacing="0"><tr><td ${coloured('bar')} height="4" ` +
      `style="${inline('bar')}height:4px;font-size:0;line-height:0">&nbsp;</td></tr></table></td></tr>` +
      `<tr><td colspan="2" class="quiet" style="${inline('quiet')}font-size:12px">` +
      `${[...(change === '' ? [] : [change]), ...further].join(', ')}</td></tr>`
    );
  });
  const by = escaped((dimension ?? '').replace(/^label\./, ''));
  return (
    `<h2 style="margin:0;font-size:16px">${titleOf(first)} by ${by}</h2>` +
    `<table width="100%" cellpadding="0" cellspacing="0">${rows.join('')}</table>`
  );
}

/** As in the dashboard: nothing where a share rests on too few views. */
function isKnown(measure: string, values: QueryRow): boolean {
  const { unit } = audienceMeasure(measure as AudienceMeasureName);
  const { positionedViews } = values;
  const isFew = typeof positionedViews === 'number' && positionedViews < leastViewsOfShare;
  return typeof values[measure] === 'number' && !(unit === '0 to 1' && isFew);
}

function drawn(measure: string, values: QueryRow | undefined): number {
  return values !== undefined && isKnown(measure, values) ? Number(values[measure]) : 0;
}

/** Empty where there is nothing to compare with. */
function changeText(measure: string, is: QueryRow, was: QueryRow): string {
  const before = drawn(measure, was);
  if (!isKnown(measure, is) || before === 0) return '';
  const change = drawn(measure, is) / before - 1;
  const percent = Math.round(Math.abs(change) * 100).toLocaleString('en');
  if (percent === '0') return 'unchanged';
  return change > 0 ? `▲ ${percent} %` : `▼ ${percent} %`;
}

const dayMonth = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', timeZone: 'UTC' },
});
const range = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function dayText(date: string): string {
  return dayMonth.format(new Date(date));
}

function rangeText(from: string, to: string): string {
  return range.formatRange(new Date(from), new Date(to));
}

function coloured(colour: Colour): string {
  const [, light] = colours[colour];
  return `class="${colour}" bgcolor="${light}"`;
}

function inline(colour: Colour): string {
  const [property, light] = colours[colour];
  return `${property}:${light};`;
}

function darkSheet(): string {
  const rules = Object.entries(colours).map(
    ([name, [property, , dark]]) => `.${name}{${property}:${dark}!important}`,
  );
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`;
}

function writeLink(url: string): string {
  return `<a href="${escaped(url)}" class="text" style="${inline('text')}">Open in the dashboard</a>`;
}

function quiet(html: string): string {
  return `<p class="quiet" style="margin:4px 0 0;${inline('quiet')}font-size:13px">${html}</p>`;
}

function swatch(colour: Colour): string {
  return `<span class="${colour}" style="${inline(colour)}border-radius:2px">&emsp;</span>`;
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? `&#${mark.charCodeAt(0)};`);
}
