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

test('a report by country names who made the database, if it is the one of the service', () => {
  const textOf = (dimension: string, source: { attribution?: string }) =>
    writeMail(reportBy(dimension), { description: '', ...source }).text;
  expect(textOf('country', { attribution })).toMatch(/1\. KR: plays 3\n\nIP Geolocation by DB-IP/);
  expect(textOf('country', {})).not.toContain('DB-IP');
  expect(textOf('player', { attribution })).not.toContain('DB-IP');
});
