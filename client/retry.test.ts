import { expect, test } from 'vitest';
import { PlaymeterError } from './src/playmeter-error.ts';
import { isRetryable, retryDelayMs } from './src/retry.ts';

test.each([
  { retry: 0, retryAfter: undefined, chance: 0, delayMs: 125 },
  { retry: 0, retryAfter: undefined, chance: 1, delayMs: 250 },
  { retry: 3, retryAfter: undefined, chance: 1, delayMs: 2_000 },
  { retry: 20, retryAfter: undefined, chance: 1, delayMs: 8_000 },
  { retry: 0, retryAfter: 0, chance: 0, delayMs: 0 },
  { retry: 5, retryAfter: 2, chance: 0, delayMs: 2_000 },
  { retry: 0, retryAfter: 2, chance: 1, delayMs: 2_250 },
  { retry: 0, retryAfter: 60, chance: 0, delayMs: 60_000 },
  { retry: 0, retryAfter: 61, chance: 0, delayMs: undefined },
])('waits $delayMs ms before retry $retry after $retryAfter s', (row) => {
  expect(retryDelayMs(row.retry, row.retryAfter, row.chance)).toBe(row.delayMs);
});

test.each([
  [new PlaymeterError('RATE_LIMITED', '', { status: 429 }), true],
  [new PlaymeterError('UNAVAILABLE', '', { status: 503 }), true],
  [new PlaymeterError('UNREADABLE', '', { status: 502 }), true],
  [new PlaymeterError('NETWORK', ''), true],
  [new PlaymeterError('TIMEOUT', ''), true],
  [new PlaymeterError('UNREADABLE', '', { status: 403 }), true],
  [new PlaymeterError('UNREADABLE', '', { status: 404 }), true],
  [new PlaymeterError('UNREADABLE', '', { status: 408 }), true],
  [new PlaymeterError('UNREADABLE', '', { status: 425 }), true],
  [new PlaymeterError('UNREADABLE', '', { status: 400 }), false],
  [new PlaymeterError('UNREADABLE', '', { status: 200 }), false],
  [new PlaymeterError('FORBIDDEN', '', { status: 403 }), false],
  [new PlaymeterError('NOT_FOUND', '', { status: 404 }), false],
  [new PlaymeterError('INVALID_PARAMETER', '', { status: 400 }), false],
  [new PlaymeterError('INTERNAL', '', { status: 500 }), false],
  [new Error('a mistake of ours'), false],
])('%s may be tried again: %s', (error, expected) => {
  expect(isRetryable(error)).toBe(expected);
});
