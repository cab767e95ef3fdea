import { expect, test } from 'vitest';
import { findStandings, readClaimRules } from './claim-rules.ts';

const rule = (role: string, more: object = {}) => ({
  ...{ claim: 'groups', value: role, account: 1, role, ...more },
});

test.each([
  ['no JSON', 'groups=owners'],
  ['no list', JSON.stringify(rule('owner'))],
  ['no such role', JSON.stringify([rule('admin')])],
  ['no account', JSON.stringify([{ claim: 'groups', value: 'a', role: 'owner' }])],
  ['a member that it does not know', JSON.stringify([rule('owner', { email: 'a' })])],
  ['packages of a manager', JSON.stringify([rule('manager', { packages: [1] })])],
])('%s is no list of rules', (_, text) => {
  expect(readClaimRules(text)).toBeUndefined();
});

const rules =
  readClaimRules(
    JSON.stringify([
      ...[rule('owner'), rule('manager'), rule('analyst', { packages: [3] })],
      rule('analyst', { value: 'more', packages: [4, 3] }),
      rule('analyst', { value: 'all' }),
      rule('owner', { value: 'second', account: 2 }),
    ]),
  ) ?? [];

test.each<[string, unknown, object[]]>([
  ['nothing', undefined, []],
  ['another value', 'others', []],
  ['a value', 'manager', [{ accountId: 1, role: 'manager', packageIds: undefined }]],
  ['several', ['analyst', 'owner'], [{ accountId: 1, role: 'owner', packageIds: undefined }]],
  ['packages', ['analyst'], [{ accountId: 1, role: 'analyst', packageIds: [3] }]],
  ['both', ['analyst', 'more'], [{ accountId: 1, role: 'analyst', packageIds: [3, 4] }]],
  ['all', ['more', 'all'], [{ accountId: 1, role: 'analyst', packageIds: undefined }]],
  ['a number', 1, []],
])('a claim of %s', (_, groups, standings) => {
  expect(findStandings(rules, { groups })).toEqual(standings);
});

test('of two accounts there are two', () => {
  const found = findStandings(rules, { groups: ['second', 'manager'] });
  expect(found.map(({ accountId }) => accountId)).toEqual([1, 2]);
});
