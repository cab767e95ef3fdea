import { expect, test } from 'vitest';
import { retryAfterMsOf } from './send.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');

test.each([
  { text: null, waitMs: 0 },
  { text: '7', waitMs: 7000 },
  { text: 'Fri, 20 Nov 2026 10:00:30 GMT', waitMs: 30_000 },
  { text: 'Fri, 20 Nov 2026 09:00:00 GMT', waitMs: 0 },
  { text: 'soon', waitMs: 0 },
  { text: '-5', waitMs: 0 },
  { text: '999999', waitMs: 3_600_000 },
])('Retry-After $text is a wait of $waitMs ms', ({ text, waitMs }) => {
  expect(retryAfterMsOf(text, nowMs)).toBe(waitMs);
});
