import { expect, test } from 'vitest';
import type { ViewerMode } from '../wire/viewers.ts';
import { privacySheet } from './privacy-sheet.ts';

const keeping = { auditDays: 30, snapshotSeconds: 60, countrySource: 'a database' };
const sheetOf = (...modes: readonly ViewerMode[]) => {
  const accounts = modes.map((viewers, index) => ({
    ...{ accountId: index + 1, name: 'Studio | *One*', timeZone: 'UTC', viewers },
    factsMonths: 25,
    labels: index === 0 ? ['course', 'room'] : [],
  }));
  return privacySheet(accounts, keeping).join('\n');
};

test('the sheet tells of each account, and of how long things are kept', () => {
  const sheet = sheetOf('anonymous', 'daily', 'named', 'none');
  expect(sheet).toContain('## Account 1: Studio \\| \\*One\\*');
  expect(sheet).toContain('Labels, whose values your pages send: course, room.');
  expect(sheet).toContain('Accounts 1, 3 take names');
  for (const said of ['for 30 days', '60 seconds', 'by a database', 'facts: 25 months'])
    expect(sheet).toContain(said);
});

test('where no account takes names, it says so', () => {
  expect(sheetOf('daily', 'none')).toContain('No account takes names of viewers');
});

test('every line of the table has two cells', () => {
  const rows = sheetOf('anonymous')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row.split(' | ')).toHaveLength(row.startsWith('|---') ? 1 : 2);
});
