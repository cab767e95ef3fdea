import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAddress, findNetwork, findSite } from './address-network.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.10', '203.0.113.10'],
  ['::ffff:203.0.113.9.1', '::ffff:203.0.113.9.1'],
  ['x::ffff:203.0.113.9', 'x::ffff:203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::', '0:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::4:5:6:7:8', '0:0:0:4'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1::2:3:4:5:6:7', '1:0:2:3'],
  ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ['not:an:address', 'not:an:address'],
  ['', ''],
])('%j counts as %j', (address, network) => {
  expect(findNetwork(address)).toBe(network);
});

test('however an IPv6 address is written, its first 64 bits count', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
  const address = fc.tuple(...Array.from({ length: 8 }, () => group));
  fc.assert(
    fc.property(address, (groups) => {
      const long = groups.map((one) => one.toString(16).padStart(4, '0')).join(':');
      // The platform's own short form.
      const short = new URL(`http://[${long}]`).hostname.slice(1, -1);
      const network = groups
        .slice(0, 4)
        .map((one) => one.toString(16))
        .join(':');
      expect([findNetwork(long), findNetwork(short)]).toEqual([network, network]);
    }),
  );
});

test.each([
  ['203.0.113.9', '203.0.113'],
  ['203.0.113.200', '203.0.113'],
  ['::ffff:203.0.113.9', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0'],
  ['::1', '0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0'],
  ['', ''],
])('%j is cut to %j', (address, cut) => {
  expect(cutAddress(address)).toBe(cut);
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['203.0.113.9', undefined],
  ['::ffff:203.0.113.9', undefined],
  ['not:an:address', undefined],
  ['', undefined],
])('%j is of the site %j', (address, site) => {
  expect(findSite(address)).toBe(site);
});
