import { expect, test } from 'vitest';
import type { ViewerMode } from '../vocabulary/viewers.ts';
import { type PrivacyAccount, privacySheet, type RetentionPolicy } from './privacy-sheet.ts';

const keeping: RetentionPolicy = {
  ...{ auditDays: 30, snapshotSeconds: 60, countrySource: 'a database' },
  ...{ exports: undefined },
};
const accountsOf = (modes: readonly ViewerMode[]): PrivacyAccount[] =>
  modes.map((viewers, index) => ({
    ...{ accountId: index + 1, name: 'Studio | *One*', timeZone: 'UTC', viewers },
    ...{ factsMonths: 25, keepsSums: true, rules: 0, shares: 0 },
    labels: index === 0 ? ['course', 'room'] : [],
  }));
const sheetOf = (...modes: readonly ViewerMode[]) =>
  privacySheet(accountsOf(modes), keeping).join('\n');

test('the sheet tells of each account, and of how long things are kept', () => {
  const sheet = sheetOf('anonymous', 'daily', 'named', 'none');
  expect(sheet).toContain('## Account 1: Studio \\| \\*One\\*');
  expect(sheet).toContain('Labels, whose values your pages send: course, room.');
  expect(sheet).toContain('Accounts 1, 3 take names');
  for (const said of ['for 30 days', '60 seconds', 'by a database', 'facts: 25 months'])
    expect(sheet).toContain(said);
});

test('sums that go with their facts are said to', () => {
  const [one, other] = accountsOf(['daily', 'daily']);
  const sheet = privacySheet([one, { ...other, keepsSums: false }] as PrivacyAccount[], keeping);
  expect(sheet.join('\n')).toContain('until you erase them; as long as single facts in account 2.');
});

test('where no account takes names, it says so', () => {
  expect(sheetOf('daily', 'none')).toContain('No account takes names of viewers');
});

test('what leaves the service is named, and nothing else', () => {
  const [one, other] = accountsOf(['daily', 'daily']);
  if (!one || !other) throw new Error('two accounts were made');
  const passedOn = (accounts: readonly PrivacyAccount[], more: Partial<RetentionPolicy> = {}) =>
    privacySheet(accounts, { ...keeping, ...more }).find((line) => line.includes('passed on?'));
  const nothing = 'No: nothing leaves the service';
  expect(passedOn([one, other])).toContain(nothing);
  const cases: readonly [string | undefined, string][] = [
    [passedOn([one, { ...other, rules: 2 }]), 'with sums go to receivers of accounts 2.'],
    [passedOn([{ ...one, shares: 1 }, other]), 'no single viewer, of accounts 1.'],
    [
      passedOn([one], { exports: { to: 's3://films/out', accounts: 'all' } }),
      'Single facts, with hashes of viewers, are exported to `s3://films/out` (accounts: all).',
    ],
  ];
  for (const [line, said] of cases) {
    expect(line).toContain(said);
    expect(line).not.toContain(nothing);
  }
});

test('every line of the table has two cells', () => {
  const rows = sheetOf('anonymous')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row.split(' | ')).toHaveLength(row.startsWith('|---') ? 1 : 2);
});
