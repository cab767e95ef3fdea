/** Requests that come at once, over a database that takes its time; the rest: test/api/key-limits. */
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createProcessLimiters } from '../../lib/limits/limiter.ts';
import { limitWrongKeys } from './wrong-key-limit.ts';

const perMinute = 3;
const answer = { setHeader: () => undefined };
const here = '203.0.113.7';

function createLimit() {
  return limitWrongKeys(perMinute, createProcessLimiters(manualClock()));
}

/** Sends all of them before the first is looked up; what each got, and how many were looked up. */
async function tryAtOnce(secrets: readonly string[], right: readonly string[] = []) {
  const limited = createLimit();
  const database = Promise.withResolvers<void>();
  let lookedUp = 0;
  const attempt = async (secret: string, address = here) => {
    const lookUp = async () => {
      lookedUp += 1;
      await database.promise;
      return right.includes(secret) ? 'found' : undefined;
    };
    return limited({ secret, address }, answer, lookUp).catch(({ code }) => code);
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
  const limited = createLimit();
  const away = () => Promise.reject(new Error('the database is away'));
  for (let tried = 0; tried < 3 * perMinute; tried += 1) {
    const attempt = { secret: `key-${tried}`, address: here };
    await expect(limited(attempt, answer, away)).rejects.toThrow('the database is away');
  }
});

test('a /48 network tries as many as 16 addresses, from however many of its networks', async () => {
  const limited = createLimit();
  const attempt = (number: number, site: number) =>
    limited(
      { secret: `key-${number}`, address: `2001:db8:${site}:${number.toString(16)}::1` },
      answer,
      async () => undefined,
    ).catch(({ code }) => code);
  for (let number = 0; number < 16 * perMinute; number += 1) {
    expect(await attempt(number, 1)).toBeUndefined();
  }
  expect(await attempt(99, 1)).toBe('RATE_LIMITED');
  expect(await attempt(99, 2)).toBeUndefined();
});
