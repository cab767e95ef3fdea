import { expect, test } from 'vitest';
import { retryAfterMsOf } from './send.ts';

test.each([
  { text: null, waitMs: 0 },
  { text: '7', waitMs: 7000 },
  { text: 'Fri, 20 Nov 2026 10:00:30 GMT', waitMs: 0 },
  { text: 'soon', waitMs: 0 },
  { text: '3600', waitMs: 3_600_000 },
  { text: '3601', waitMs: 3_600_000 },
])('Retry-After $text is a wait of $waitMs ms', ({ text, waitMs }) => {
  expect(retryAfterMsOf(text)).toBe(waitMs);
});
