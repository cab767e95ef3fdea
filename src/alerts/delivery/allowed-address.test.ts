import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { readNetworks } from '../../lib/network/network-list.ts';
import { allowedLookup, checkHost, mayReach, type WebhookPolicy } from './allowed-address.ts';

function policyOf(networks: string): WebhookPolicy {
  const ownNetworks = readNetworks(networks);
  if (!ownNetworks) throw new Error(networks);
  return { ownNetworks };
}
const usual = policyOf('none');

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ...[
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...[
      '192.168.1.1',
      '169.254.169.254',
      '168.63.129.16',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
    ...['::ffff:0:127.0.0.1', '::ffff:0:a00:1'],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', 'fd00::1', 'fe80::1', 'fe80::1%eth0', 'ff02::1'],
  ].map((address): [string, boolean] => [address, false]),
])('%s is reached: %s', (address, expected) => {
  expect(mayReach(address, true, usual)).toBe(expected);
});

test('without TLS only the own networks are reached', () => {
  const own = policyOf('10.1.0.0/16, loopback');
  const reached = (isTls: boolean) =>
    ['10.1.2.3', '127.0.0.1', '10.2.0.1', '93.184.216.34'].map((address) =>
      mayReach(address, isTls, own),
    );
  expect(reached(true)).toEqual([true, true, false, true]);
  expect(reached(false)).toEqual([true, true, false, false]);
});

test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])('the host %s is refused', (host) => {
  expect(() => checkHost(host, true, usual)).toThrow('not public');
});

test('of a name, only allowed addresses are given to the connection', async () => {
  const addresses: LookupAddress[] = [
    { address: '10.0.0.1', family: 4 },
    { address: '93.184.216.34', family: 4 },
  ];
  const lookup = allowedLookup(true, { ...usual, resolve: (_, done) => done(null, addresses) });
  const found = (all: boolean) =>
    new Promise((resolve) => {
      lookup('a.example', { all }, (error, address) => resolve(error ?? address));
    });
  expect(await found(true)).toEqual([addresses[1]]);
  expect(await found(false)).toBe('93.184.216.34');
  addresses.pop();
  expect(String(await found(true))).toContain('not public');
});
