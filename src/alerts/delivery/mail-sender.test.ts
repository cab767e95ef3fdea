import { expect, test } from 'vitest';
import type { Message, ReportData } from '../evaluation/messages.ts';
import { writeMail } from './mail-sender.ts';

const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0';

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
    return writeMail(JSON.stringify({ ...body, data }), { description: '' }).text;
  };
  const few = text(1, [values(1, 4), values(0.4312, 5), values(null, 0)]);
  expect(few).toContain('averageSeen: – of 1 view (before: unknown)');
  expect(few).toContain('1. film-0: plays 1,234, averageSeen – of 4 views');
  expect(few).toContain('2. film-1: plays 1,234, averageSeen 43.12 % of 5 views');
  expect(few).toContain('3. film-2: plays 1,234, averageSeen unknown');
  expect(text(1_055, [])).toContain('averageSeen: 100.00 % of 1,055 views (before: unknown)');
});

test('measures of quality are written in their units, with what they rest on', () => {
  const { data, ...about } = JSON.parse(reportBy('video')) as Message<ReportData>;
  const values = { startupP95: 3_870, stallsPerHour: 1.8042, bitrate: 2_850, exitShare: 0.0316 };
  const measures = Object.keys(values);
  const report = {
    ...{ ...data, terms: { ...data.terms, measures }, totals: values, list: [] },
    ...{ previous: { ...data.previous, totals: {} }, qualityBasis: { attempts: 190, views: 204 } },
  };
  const { text } = writeMail(JSON.stringify({ ...about, data: report }), { description: '' });
  expect(text).toContain(
    [
      'startupP95: 3,870 ms (before: unknown)',
      'stallsPerHour: 1.8042 an hour (before: unknown)',
      'bitrate: 2,850 kbit/s (before: unknown)',
      'exitShare: 3.16 % (before: unknown)',
      'Quality rests on 190 attempts that were reported, beside 204 views in the range',
    ].join('\n'),
  );
});

test('a report by country names who made the database, if it is the one of the service', () => {
  const textOf = (dimension: string, source: { attribution?: string }) =>
    writeMail(reportBy(dimension), { description: '', ...source }).text;
  expect(textOf('country', { attribution })).toMatch(/1\. KR: plays 3\n\nIP Geolocation by DB-IP/);
  expect(textOf('country', {})).not.toContain('DB-IP');
  expect(textOf('player', { attribution })).not.toContain('DB-IP');
});
