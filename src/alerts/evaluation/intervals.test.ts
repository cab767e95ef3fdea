import { expect, test } from 'vitest';
import type { AlertInterval } from '../../wire/management/alerts.ts';
import { lastOver } from './intervals.ts';

const text = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 16);

test.each<[AlertInterval, string, string, string]>([
  ['day', 'UTC', '2026-11-20T00:00Z', '2026-11-19 2026-11-19T00:00 2026-11-20T00:00'],
  ['day', 'UTC', '2026-11-19T23:59:59.999Z', '2026-11-18 2026-11-18T00:00 2026-11-19T00:00'],
  ['day', 'Asia/Seoul', '2026-11-19T15:00Z', '2026-11-19 2026-11-18T15:00 2026-11-19T15:00'],
  // 23 and 25 hours.
  ['day', 'Europe/Berlin', '2026-03-29T22:00Z', '2026-03-29 2026-03-28T23:00 2026-03-29T22:00'],
  ['day', 'Europe/Berlin', '2026-03-29T21:59Z', '2026-03-28 2026-03-27T23:00 2026-03-28T23:00'],
  ['day', 'Europe/Berlin', '2026-10-25T23:00Z', '2026-10-25 2026-10-24T22:00 2026-10-25T23:00'],
  // Samoa had no 30 December 2011.
  ['day', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-29 2011-12-29T10:00 2011-12-30T10:00'],
  ['hour', 'UTC', '2026-11-20T00:30Z', '2026-11-19T23 2026-11-19T23:00 2026-11-20T00:00'],
  ['hour', 'Asia/Kolkata', '2026-11-20T00:29Z', '2026-11-20T04 2026-11-19T22:30 2026-11-19T23:30'],
  // Two is skipped; then two comes twice.
  ['hour', 'Europe/Berlin', '2026-03-29T02:00Z', '2026-03-29T03 2026-03-29T01:00 2026-03-29T02:00'],
  ['hour', 'Europe/Berlin', '2026-10-25T01:00Z', '2026-10-25T02 2026-10-25T00:00 2026-10-25T01:00'],
  // Set by half an hour: an hour of an hour and a half, and one of half an hour.
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-04-04T15:29Z',
    '2026-04-05T00 2026-04-04T13:00 2026-04-04T14:00',
  ],
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-04-04T15:30Z',
    '2026-04-05T01 2026-04-04T14:00 2026-04-04T15:30',
  ],
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-10-03T16:00Z',
    '2026-10-04T02 2026-10-03T15:30 2026-10-03T16:00',
  ],
  ['hour', 'Europe/Berlin', '2026-10-25T02:00Z', '2026-10-25T02 2026-10-25T01:00 2026-10-25T02:00'],
])('the last %s in %s over at %s', (per, timeZone, through, expected) => {
  const { day, hour, fromMs, untilMs } = lastOver(per, timeZone, Date.parse(through));
  const name = hour === undefined ? day : `${day}T${hour}`;
  expect(`${name} ${text(fromMs)} ${text(untilMs)}`).toBe(expected);
});
