import { expect, test } from 'vitest';
import { hourIn } from './filter-parser.ts';

test.each([
  ['Asia/Seoul', '2026-11-20T17:00:00+09:00', '2026-11-20T17:00:00+09:00'],
  ['Asia/Seoul', '2026-11-20T08:00:00Z', '2026-11-20T17:00:00+09:00'],
  ['Asia/Seoul', '2026-11-20t08:00:00.000z', '2026-11-20T17:00:00+09:00'],
  ['Asia/Seoul', '2026-11-20T09:00:00+01:00', '2026-11-20T17:00:00+09:00'],
  ['Asia/Seoul', '2026-11-20T17:15:00+09:00', undefined],
  ['Asia/Seoul', '2026-11-20T17:00:00', undefined],
  ['UTC', '2026-11-20T08:00:00Z', '2026-11-20T08:00:00+00:00'],
  ['UTC', '2026-11-20T08:00:00-00:00', '2026-11-20T08:00:00+00:00'],
  ['America/New_York', '2026-07-01T10:00:00-05:00', '2026-07-01T11:00:00-04:00'],
  ['America/New_York', '2026-11-01T01:00:00-05:00', '2026-11-01T01:00:00-05:00'],
  ['America/New_York', '2026-11-01T05:00:00Z', '2026-11-01T01:00:00-04:00'],
  ['Asia/Kolkata', '2026-11-20T05:30:00Z', '2026-11-20T11:00:00+05:30'],
  ['Asia/Kolkata', '2026-11-20T05:00:00Z', undefined],
  // At 2:00 its clock is put to 2:30, where the hour begins.
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04T02:30:00+11:00'],
  ['Australia/Lord_Howe', '2026-10-04T02:00:00+11:00', undefined],
  // At 2:00 its clock is put back to 1:30: the hour from 1:00 goes on.
  ['Australia/Lord_Howe', '2026-04-05T01:00:00+11:00', '2026-04-05T01:00:00+11:00'],
  ['Australia/Lord_Howe', '2026-04-05T01:00:00+10:30', undefined],
  ['UTC', '0001-01-01T00:00:00Z', undefined],
  // Its offset was 44 minutes and 30 seconds.
  ['Africa/Monrovia', '1971-05-04T10:00:00-00:44', '1971-05-04T10:00:00-00:44'],
])('in %s, the hour of %s is %s', (timeZone, text, label) => {
  expect(hourIn(timeZone, text)).toBe(label);
});
