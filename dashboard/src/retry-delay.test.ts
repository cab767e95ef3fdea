import { expect, test } from 'vitest';
import { PlaymeterError } from '../../client/src/index.ts';
import { retryDelayMs } from './retry-delay.ts';

const failure = (status?: number, retryAfterSeconds?: number) =>
  new PlaymeterError('UNAVAILABLE', 'not now', { status, retryAfterSeconds });

test('it waits for as long as the service asks, and no shorter', () => {
  expect(retryDelayMs(0, failure(503, 5), 0)).toBe(5_000);
  expect(retryDelayMs(1, failure(429, 5), 1)).toBe(5_250);
  expect(retryDelayMs(0, failure(503, 61), 0)).toBeUndefined();
});

test('without a word of the service it waits longer each time', () => {
  expect([0, 1, 2].map((retry) => retryDelayMs(retry, failure(), 0))).toEqual([250, 500, 1_000]);
});

test.each([400, 401, 404, 500])('%i does not become right by itself', (status) => {
  expect(retryDelayMs(0, failure(status), 0)).toBeUndefined();
});

test('nor does a mistake of the page', () => {
  expect(retryDelayMs(0, new Error('oops'), 0)).toBeUndefined();
});
