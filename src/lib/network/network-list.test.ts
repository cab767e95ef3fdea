import { expect, test } from 'vitest';
import { readNetworks } from './network-list.ts';

test.each([
  ['203.0.113.0/24', '203.0.113.0', true],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.9', '203.0.113.9', true],
  ['203.0.113.9', '203.0.113.8', false],
  ['203.0.113.0/24', '::ffff:203.0.113.1', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['0.0.0.0/0', '203.0.113.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['loopback', '127.255.255.255', true],
  ['loopback', '128.0.0.0', false],
  ['loopback', '::1', true],
  ['loopback', '::2', false],
  ['private', '172.31.255.255', true],
  ['private', '172.32.0.0', false],
  ['private', 'fd00::1', true],
  ['private', '127.0.0.1', false],
  ['203.0.113.9 , private', '192.168.0.1', true],
  ['private', '', false],
  ['private', '10.0.0.1, 10.0.0.2', false],
  ['private', 'unknown', false],
])('%s holds %j: %s', (text, address, isHeld) => {
  expect(readNetworks(text)?.(address)).toBe(isHeld);
});

test.each([
  '',
  'all',
  '10.0.0.0/33',
  '::/129',
  '10.0.0',
  '10.0.0.0/',
  '10.0.0.1/x',
  'private,',
  'a:b',
])('%j names no networks', (text) => {
  expect(readNetworks(text)).toBeUndefined();
});
