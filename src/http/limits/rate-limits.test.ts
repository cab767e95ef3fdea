import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters } from '../../lib/limits/limiter.ts';
import { addressesOfSite } from '../../lib/network/address-network.ts';
import { type AnswerHeaders, createAddressLimit, limitWrongKeys } from './rate-limits.ts';

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

/** Requests that come at once, over a database that takes its time; the rest: test/api/key-limits. */

const perMinute = 3;
const unread = { setHeader: () => undefined };
const here = '203.0.113.7';

function createWrongKeyLimit() {
  return limitWrongKeys(perMinute, createProcessLimiters(manualClock()));
}

/** Sends all of them before the first is looked up; what each got, and how many were looked up. */
async function tryAtOnce(secrets: readonly string[], right: readonly string[] = []) {
  const limited = createWrongKeyLimit();
  const database = Promise.withResolvers<void>();
  let lookedUp = 0;
  const attempt = async (secret: string, address = here) => {
    const lookUp = async () => {
      lookedUp += 1;
      await database.promise;
      return right.includes(secret) ? 'found' : undefined;
    };
    return limited({ secret, address }, unread, lookUp).catch(({ code }) => code);
  };
  const sent = secrets.map((secret) => attempt(secret));
  const elsewhere = attempt('another', '203.0.113.8');
  database.resolve();
  const got = await Promise.all(sent);
  return { got, elsewhere: await elsewhere, lookedUp: () => lookedUp - 1, attempt };
}

test('wrong keys that come at once are looked up no more often than one after another', async () => {
  const keys = Array.from({ length: 50 }, (_, number) => `wrong-${number}`);
  const { got, elsewhere, lookedUp, attempt } = await tryAtOnce(keys);
  expect(lookedUp()).toBe(perMinute);
  expect(got.slice(0, perMinute)).toEqual([undefined, undefined, undefined]);
  expect(new Set(got.slice(perMinute))).toEqual(new Set(['RATE_LIMITED']));
  expect(elsewhere).toBeUndefined();
  expect(await attempt('wrong')).toBe('RATE_LIMITED');
});

test('requests with one key are one try, and a right one uses nothing up', async () => {
  const { got, attempt } = await tryAtOnce(Array(50).fill('right'), ['right']);
  expect(got).toEqual(Array(50).fill('found'));
  for (let tried = 0; tried < perMinute; tried += 1) {
    expect(await attempt(`wrong-${tried}`)).toBeUndefined();
  }
  expect(await attempt('wrong')).toBe('RATE_LIMITED');
  expect(await attempt('right')).toBe('found');
});

test('a try that fails for another reason is over', async () => {
  const limited = createWrongKeyLimit();
  const away = () => Promise.reject(new Error('the database is away'));
  for (let tried = 0; tried < 3 * perMinute; tried += 1) {
    const attempt = { secret: `key-${tried}`, address: here };
    await expect(limited(attempt, unread, away)).rejects.toThrow('the database is away');
  }
});

test('a /48 network tries as many as 16 addresses, from however many of its networks', async () => {
  const limited = createWrongKeyLimit();
  const attempt = (number: number, site: number) =>
    limited(
      { secret: `key-${number}`, address: `2001:db8:${site}:${number.toString(16)}::1` },
      unread,
      async () => undefined,
    ).catch(({ code }) => code);
  for (let number = 0; number < 16 * perMinute; number += 1) {
    expect(await attempt(number, 1)).toBeUndefined();
  }
  expect(await attempt(99, 1)).toBe('RATE_LIMITED');
  expect(await attempt(99, 2)).toBeUndefined();
});
