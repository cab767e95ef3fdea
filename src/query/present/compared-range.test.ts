import { expect, test } from 'vitest';
import { slotMs } from '../../store/facts.ts';
import { comparedRange } from './compared-range.ts';

const nowMs = Date.parse('2026-11-20T15:20:30Z');
const query = {
  ...{ firstDay: '2026-11-16', lastDay: '2026-11-19', timeZone: 'UTC' },
  dimensions: [] as ('week' | 'month' | 'year' | 'date' | 'weekday')[],
};

const shown = (ms: number | undefined) => ms !== undefined && new Date(ms).toISOString();

test.each([
  [{ compare: 'previous' }, '2026-11-12', '2026-11-15', '2026-11-16T00:00:00.000Z'],
  [{ compare: 'year' }, '2025-11-16', '2025-11-19', '2025-11-20T00:00:00.000Z'],
  // It ends today: up to the same time of day.
  [
    { compare: 'previous', lastDay: '2026-11-20' },
    ...['2026-11-11', '2026-11-15', '2026-11-15T15:20:30.000Z'],
  ],
  [
    { compare: 'year', lastDay: '2026-11-20' },
    ...['2025-11-16', '2025-11-20', '2025-11-21T00:00:00.000Z'],
  ],
  // Of four days, a week before: Monday to Thursday as well.
  [{ compare: 'weekdays' }, '2026-11-09', '2026-11-12', '2026-11-13T00:00:00.000Z'],
  [
    { compare: 'weekdays', firstDay: '2026-11-20', lastDay: '2026-11-20' },
    ...['2026-11-13', '2026-11-13', '2026-11-13T15:20:30.000Z'],
  ],
  // Of 7 days, those just before; of 8, two weeks before.
  [
    { compare: 'weekdays', firstDay: '2026-11-13' },
    ...['2026-11-06', '2026-11-12', '2026-11-13T00:00:00.000Z'],
  ],
  [
    { compare: 'weekdays', firstDay: '2026-11-12' },
    ...['2026-10-29', '2026-11-05', '2026-11-06T00:00:00.000Z'],
  ],
  // Today is another day there.
  [
    { compare: 'previous', firstDay: '2026-11-21', lastDay: '2026-11-21', timeZone: 'Asia/Seoul' },
    ...['2026-11-20', '2026-11-20', '2026-11-19T15:20:30.000Z'],
  ],
  [
    { compare: 'previous', firstDay: '2026-11-20', lastDay: '2026-11-20', timeZone: 'Asia/Seoul' },
    ...['2026-11-19', '2026-11-19', '2026-11-19T15:00:00.000Z'],
  ],
  [
    { compare: 'year', firstDay: '2024-02-29', lastDay: '2024-03-02' },
    ...['2023-02-28', '2023-03-02', '2023-03-03T00:00:00.000Z'],
  ],
] as [object, string, string, string][])('%j', (change, firstDay, lastDay, until) => {
  const range = comparedRange({ ...query, compare: undefined, ...change }, nowMs);
  expect(range).toMatchObject({ firstDay, lastDay });
  expect(shown(range?.cut.at(-1)?.untilMs ?? range?.spans.at(-1)?.untilMs)).toBe(until);
});

test.each([
  ['week', 'previous', 4],
  ['month', 'previous', 4],
  ['year', 'previous', 4],
  ['week', 'weekdays', 7],
  ['month', 'weekdays', 7],
  ['week', 'year', 365],
  ['month', 'year', 0],
  ['date', 'previous', 0],
  ['weekday', 'previous', 0],
] as const)('each %s of the range %s has the same days, %d later', (name, compare, shiftDays) => {
  const range = comparedRange({ ...query, dimensions: [name], compare }, nowMs);
  expect(range?.shiftDays).toBe(shiftDays);
});

test('nothing is compared unless asked for', () => {
  expect(comparedRange({ ...query, compare: undefined }, nowMs)).toBeUndefined();
});

/** As instants of UTC: what of each span counts. */
function counting(day: string, timeZone: string, now: string): string[] {
  const asked = { ...query, firstDay: day, lastDay: day, timeZone, compare: 'previous' as const };
  const range = comparedRange(asked, Date.parse(now));
  return (range?.spans ?? []).map(({ fromMs, untilMs }) => {
    expect([fromMs % slotMs, untilMs % slotMs]).toEqual([0, 0]);
    const cut = range?.cut.find((one) => one.fromMs === untilMs - slotMs);
    return `${shown(fromMs)} ${shown(cut?.untilMs ?? untilMs)}`.replaceAll(/2026-|:00\.000Z/g, '');
  });
}

test.each([
  ['Asia/Kathmandu', '2026-11-20', '2026-11-20T15:20:30Z', ['11-18T18:15 11-19T15:20:30.000Z']],
  ['Australia/Adelaide', '2026-11-21', '2026-11-20T15:59Z', ['11-19T13:30 11-19T15:59']],
  ['UTC', '2026-11-20', '2026-11-20T00:00:00.001Z', ['11-19T00:00 11-19T00:00:00.001Z']],
  ['UTC', '2026-11-20', '2026-11-20T00:00:00Z', []],
  ['UTC', '2026-11-20', '2026-11-20T15:30:00Z', ['11-19T00:00 11-19T15:30']],
  // The clock was set back today: as late by the clock, though an hour more has passed.
  ['America/New_York', '2026-11-01', '2026-11-01T16:07Z', ['10-31T04:00 10-31T15:07']],
  // Set back yesterday: both times that it showed less than 01:37.
  [
    ...['America/New_York', '2026-11-02', '2026-11-02T06:37Z'],
    ['11-01T04:00 11-01T05:37', '11-01T06:00 11-01T06:37'],
  ],
  // Set ahead yesterday: it never showed 02:37.
  ['America/New_York', '2026-03-09', '2026-03-09T06:37Z', ['03-08T05:00 03-08T07:00']],
  // By half an hour, at 02:00: back to 01:30.
  ['Australia/Lord_Howe', '2026-04-06', '2026-04-05T14:50Z', ['04-04T13:00 04-04T14:20']],
  [
    ...['Australia/Lord_Howe', '2026-04-06', '2026-04-05T15:20Z'],
    ['04-04T13:00 04-04T14:50', '04-04T15:00 04-04T15:20'],
  ],
] as [string, string, string, string[]][])('in %s on %s at %s', (zone, day, now, expected) => {
  expect(counting(day, zone, now)).toEqual(expected);
});
