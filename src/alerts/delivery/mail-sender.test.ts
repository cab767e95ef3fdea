import { expect, test } from 'vitest';
import type { Message, ReportData } from '../evaluation/messages.ts';
import { type MailSettings, writeMail } from './mail-text.ts';

const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0';
const settings: MailSettings = { countrySource: { description: '' }, publicUrl: undefined };

/** As an account called Studio is sent it. */
function mailOf(body: string, set: Partial<MailSettings> = {}, accountName = 'Studio') {
  return writeMail({ accountId: 7, accountName, body }, { ...settings, ...set });
}

function reportBy(dimension: string): string {
  const days = { sdate: '2026-05-11', edate: '2026-05-17' };
  const message: Message<ReportData> = {
    type: 'report.ready',
    timestamp: '2026-05-18T04:00:00Z',
    data: {
      ...{ reportId: 1, name: 'Week', timeZone: 'UTC', ...days },
      terms: { every: 'week', measures: ['plays'], dimension, filters: null, top: 10, hour: 6 },
      totals: { plays: 3 },
      previous: { ...days, totals: { plays: 1 } },
      list: [{ [dimension]: 'KR', plays: 3 }],
    },
  } as never;
  return JSON.stringify(message);
}

test('a share says on how many views it rests, and of fewer than five is not written', () => {
  const values = (averageSeen: number | null, positionedViews: number) => ({
    ...{ plays: 1_234, averageSeen, positionedViews },
  });
  const body = JSON.parse(reportBy('video')) as Message<ReportData>;
  const text = (own: number, rows: readonly ReturnType<typeof values>[]) => {
    const data = {
      ...body.data,
      terms: { ...body.data.terms, measures: ['plays', 'averageSeen'] },
      totals: values(1, own),
      previous: { ...body.data.previous, totals: values(null, 0) },
      list: rows.map((row, index) => ({ video: `film-${index}`, ...row })),
    };
    return mailOf(JSON.stringify({ ...body, data })).text;
  };
  const few = text(1, [values(1, 4), values(0.4312, 5), values(null, 0)]);
  expect(few).toContain('Share seen: – of 1 view (before: unknown)');
  expect(few).toContain('1. film-0: Plays 1,234, Share seen – of 4 views');
  expect(few).toContain('2. film-1: Plays 1,234, Share seen 43.12 % of 5 views');
  expect(few).toContain('3. film-2: Plays 1,234, Share seen unknown');
  expect(text(1_055, [])).toContain('Share seen: 100.00 % of 1,055 views (before: unknown)');
});

test('measures of quality are written in their units, with what they rest on', () => {
  const { data, ...about } = JSON.parse(reportBy('video')) as Message<ReportData>;
  const values = {
    startupP95: 3_874,
    stallMs: 5_025_000,
    stallsPerHour: 1.8042,
    bitrate: 2_850,
    exitShare: 0.0316,
  };
  const measures = Object.keys(values);
  const report = {
    ...{ ...data, terms: { ...data.terms, measures }, totals: values, list: [] },
    ...{ previous: { ...data.previous, totals: {} }, qualityBasis: { attempts: 190, views: 204 } },
  };
  const { text } = mailOf(JSON.stringify({ ...about, data: report }));
  expect(text).toContain(
    [
      'Slow start (p95): 3.87 s (before: unknown)',
      'Time in stalls: 1 h 23 min 45 s (before: unknown)',
      'Stalls an hour: 1.8042 an hour (before: unknown)',
      'Bitrate: 2,850 kbit/s (before: unknown)',
      'Exits before start (%): 3.16 % (before: unknown)',
      'Quality rests on 190 attempts that were reported, beside 204 views in the range',
    ].join('\n'),
  );
});

test('a report is a page too: a bar for each day of both periods, and what changed', () => {
  const body = JSON.parse(reportBy('video')) as Message<ReportData>;
  const data = {
    ...body.data,
    ...{ name: 'A <b> & "c"', totals: { plays: 3 } },
    previous: { sdate: '2026-05-04', edate: '2026-05-10', totals: { plays: 4 } },
    days: [
      { date: '2026-05-10', plays: 4 },
      { date: '2026-05-11', plays: 3 },
    ],
    list: [
      { video: 'a', videoTitle: '<script>', plays: 2, previous: { plays: 1 } },
      { video: 'b', videoTitle: '', plays: 1, previous: null },
    ],
  };
  const { html = '' } = mailOf(JSON.stringify({ ...body, data }));
  expect(html).toContain('A &lt;b&gt; &amp; &#34;c&#34;');
  expect(html).toContain('1. &lt;script&gt;');
  expect(html).not.toContain('<script');
  expect(html.replace(/\s/g, ' ')).toContain(
    '11 – 17 May 2026 (UTC), compared with 4 – 10 May 2026',
  );
  expect(html).toContain('▼ 25 %, before: 4');
  expect(html).toContain('aria-label="Plays by day: Mon 11 3"');
  expect([
    ...html.matchAll(/class="(bar|before)" bgcolor="[^"]*" height="(\d{2,})"/g),
  ]).toMatchObject([
    { 1: 'before', 2: '120' },
    { 1: 'bar', 2: '90' },
  ]);
  expect(html).toContain('▲ 100 %');
});

test('a test of an alert says that it is one', () => {
  const terms = { kind: 'silence', minutes: 30, filters: null };
  const data = {
    ...{ alertId: 1, name: 'Quiet', timeZone: 'UTC', value: null, expected: null, terms },
    ...{ from: '2026-05-19T11:00:00Z', to: '2026-05-19T12:00:00Z' },
  };
  const body = JSON.stringify({ type: 'alert.test', data });
  const { subject, text } = mailOf(body);
  expect(subject).toBe('Test: Quiet');
  expect(text).toMatch(/^This is a test/);
});

test('the limit of an alert is written as its value is', () => {
  const terms = { kind: 'threshold', measure: 'startupP95', above: 3_000, below: null };
  const data = {
    ...{ alertId: 1, name: 'Slow', timeZone: 'UTC', value: 3_874, expected: null },
    ...{
      terms: { ...terms, filters: null },
      from: '2026-05-19T11:00:00Z',
      to: '2026-05-19T12:00:00Z',
    },
  };
  const { text } = mailOf(JSON.stringify({ type: 'alert.firing', data }));
  expect(text).toContain('Slow start (p95): 3.87 s (limit: above 3 s)');
});

test('a report by country names who made the database, if it is the one of the service', () => {
  const textOf = (dimension: string, source: { attribution?: string }) =>
    mailOf(reportBy(dimension), { countrySource: { description: '', ...source } }).text;
  expect(textOf('country', { attribution })).toMatch(/1\. KR: Plays 3\n\nIP Geolocation by DB-IP/);
  expect(textOf('country', {})).not.toContain('DB-IP');
  expect(textOf('player', { attribution })).not.toContain('DB-IP');
});

const publicUrl = 'https://media.example';

function alertOn(filters: string | null): string {
  const data = {
    ...{ alertId: 1, name: 'Busy', timeZone: 'Asia/Seoul', value: 3, expected: null },
    ...{ from: '2026-05-18T15:00:00Z', to: '2026-05-19T15:00:00Z' },
    terms: { kind: 'threshold', measure: 'plays', above: 2, below: null, filters },
  };
  return JSON.stringify({ type: 'alert.firing', data });
}

const day = 'period=custom&from=2026-05-19&to=2026-05-19';
test.each<[string, string | null, string]>([
  ['an alert', null, '/settings/alerts?account=7'],
  ['an alert under filters', 'video==a;os==iOS', '/settings/alerts?account=7'],
  ['an alert on one video', 'video==a/b', `/videos/a%2Fb?account=7&${day}`],
])('%s names its account and leads to its page', (_, filters, page) => {
  const { text } = mailOf(alertOn(filters), { publicUrl });
  const [, end] = text.split('\n\n');
  expect(end).toBe(`Account: Studio\nDashboard: ${publicUrl}${page}\n`);
});

const week = 'period=custom&from=2026-05-11&to=2026-05-17';
test.each<[string, string | null, string]>([
  ['plays', null, `/?account=7&${week}&measure=plays`],
  ['startupP95', 'os==iOS', `/quality?account=7&${week}&measure=startupP95&filters=os%3D%3DiOS`],
])('a report of %s leads to its page and period, in both parts', (measure, filters, page) => {
  const body = JSON.parse(reportBy('video')) as Message<ReportData>;
  const terms = { ...body.data.terms, measures: [measure], filters };
  const data = { ...body.data, terms, days: [] };
  const { text, html } = mailOf(JSON.stringify({ ...body, data }), { publicUrl }, 'A & B');
  expect(text).toContain(`\n\nAccount: A & B\nDashboard: ${publicUrl}${page}\n`);
  expect(html).toContain('>A &amp; B</p>');
  expect(html?.match(/<a [^>]*>/g)).toEqual([
    expect.stringContaining(`href="${publicUrl}${page.replaceAll('&', '&amp;')}"`),
  ]);
});

test('without PUBLIC_URL a mail names its account, and has no link', () => {
  expect(mailOf(alertOn(null)).text).toMatch(/\n\nAccount: Studio\n$/);
  const body = JSON.parse(reportBy('video')) as Message<ReportData>;
  const data = { ...body.data, days: [] };
  const { text, html } = mailOf(JSON.stringify({ ...body, data }));
  expect(text).toMatch(/\n\nAccount: Studio\n$/);
  expect(html).not.toContain('<a ');
});
