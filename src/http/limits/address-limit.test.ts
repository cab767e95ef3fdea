import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters } from '../../lib/limits/limiter.ts';
import { addressesOfSite } from '../../lib/network/address-network.ts';
import { type AnswerHeaders, createAddressLimit } from './address-limit.ts';

const clock = manualClock();

function createLimit(perMinute: number) {
  const limit = createAddressLimit(perMinute, createProcessLimiters(clock));
  return async (address: string, answer: AnswerHeaders) => limit(address, answer);
}

test('an address may send so many requests a minute; the next is refused with when to come', async () => {
  const limit = createLimit(2);
  const headers: Record<string, string> = {};
  const answer = {
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
  };
  await limit('203.0.113.1', answer);
  clock.advance(12_300);
  await limit('::ffff:203.0.113.1', answer);
  await limit('203.0.113.2', answer);
  expect(headers).toEqual({});
  await expect(limit('203.0.113.1', answer)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'One IP address may send 2 requests a minute',
    retryAfterSeconds: 48,
  });
  expect(headers).toEqual({
    'ratelimit-policy': '"address";q=2;w=60',
    ratelimit: '"address";r=0;t=48',
  });
  clock.advance(47_699);
  await expect(limit('203.0.113.1', answer)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  clock.advance(1);
  await limit('203.0.113.1', answer);
});

test('a /48 network may send as much as 16 addresses, from however many of its networks', async () => {
  const limit = createLimit(2);
  const headers: Record<string, string> = {};
  const answer = {
    setHeader(name: string, value: string) {
      headers[name] = value;
    },
  };
  for (let sent = 0; sent < 2 * addressesOfSite; sent += 1) {
    await limit(`2001:db8:1:${sent.toString(16)}::1`, answer);
  }
  await expect(limit('2001:db8:1:ffff::1', answer)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: 'One IPv6 /48 network may send 32 requests a minute',
  });
  expect(headers['ratelimit-policy']).toBe('"address";q=32;w=60');
  await limit('2001:db8:2::1', answer);
});

test('addresses of IPv4 are of no such network', async () => {
  const limit = createLimit(1);
  const answer = { setHeader: () => undefined };
  for (let host = 0; host <= addressesOfSite; host += 1) await limit(`203.0.113.${host}`, answer);
});
