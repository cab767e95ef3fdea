import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTrustedProxies } from '../../lib/network/network-list.ts';
import { createFindSender, senderAddress } from './sender-address.ts';

function addressOf(setting: string, connected: string, forwarded?: string): string {
  const trusted = readTrustedProxies(setting);
  if (!trusted) throw new Error(`${setting} is no setting`);
  return senderAddress(trusted)({
    headers: { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: connected },
  });
}

test.each([
  ['false', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['0', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['1', '10.0.0.1', undefined, '10.0.0.1'],
  ['1', '10.0.0.1', 'made-up, 203.0.113.1', '203.0.113.1'],
  ['1', '10.0.0.1', '198.51.100.1, 203.0.113.1', '203.0.113.1'],
  ['2', '10.0.0.1', '198.51.100.1, 203.0.113.1', '198.51.100.1'],
  ['2', '10.0.0.1', '198.51.100.9, 198.51.100.1, 203.0.113.1', '198.51.100.1'],
  ['2', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['2', '10.0.0.1', 'unknown, 203.0.113.1', '203.0.113.1'],
  ['true', '10.0.0.1', '198.51.100.9, 198.51.100.1, 203.0.113.1', '198.51.100.9'],
  ['true', '10.0.0.1', '198.51.100.9, _hidden, 203.0.113.1', '203.0.113.1'],
  ['private', '10.0.0.1', '198.51.100.1, 203.0.113.1, 192.168.3.4', '203.0.113.1'],
  ['private', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['private', '::ffff:10.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['private', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
  ['private', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
  ['private', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
  ['private', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['private', '10.0.0.1', '203.0.113.256', '10.0.0.1'],
  ['private', '10.0.0.1', 'x203.0.113.1:4711', '10.0.0.1'],
  ['private', '10.0.0.1', '203.0.113.1:4711x', '10.0.0.1'],
  ['private', '10.0.0.1', 'x[2001:db8::1]', '10.0.0.1'],
  ['private', '10.0.0.1', '[2001:db8::1]x', '10.0.0.1'],
  ['private', '10.0.0.1', '', '10.0.0.1'],
  ['private', '10.0.0.1', ' , ', '10.0.0.1'],
])('trusting %s, from %s with %j: %s', (setting, connected, forwarded, address) => {
  expect(addressOf(setting, connected, forwarded)).toBe(address);
});

test.each([
  ['without a list', '10.0.0.1', undefined, true],
  ['from a stranger', '203.0.113.1', 'made-up', true],
  ['of a list that goes on', '10.0.0.1', 'made-up, 203.0.113.1', true],
  ['of a list of proxies alone', '10.0.0.1', '10.0.0.2', true],
  ['where a proxy wrote no address', '10.0.0.1', '203.0.113.1, unknown', false],
])('the address %s is certain: %s, %j, %j', (_name, connected, forwarded, isCertain) => {
  const trusted = readTrustedProxies('private') ?? expect.fail('it is a setting');
  const headers = { 'x-forwarded-for': forwarded };
  const found = createFindSender(trusted)({ headers, socket: { remoteAddress: connected } });
  expect(found.isCertain).toBe(isCertain);
});

test('whatever a sender writes in front changes nothing', () => {
  const settings = fc.constantFrom('1', 'loopback', '127.0.0.1', 'loopback,private');
  fc.assert(
    fc.property(settings, fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (setting, written) => {
      const behind = (front: string) =>
        addressOf(setting, '127.0.0.1', front === '' ? '203.0.113.1' : `${front}, 203.0.113.1`);
      expect(behind(written)).toBe(behind(''));
    }),
  );
});

test('a connection that is gone has no address', () => {
  expect(senderAddress(() => false)({ headers: {}, socket: {} })).toBe('');
});
