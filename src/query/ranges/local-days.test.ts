/** The slots of days and hours, where the clock changes; see test/report/every-zone.test.ts for all. */

import { expect, test } from 'vitest';
import type { TimeDimension } from '../../vocabulary/dimensions.ts';
import { listIntervals } from '../labels/time-labels.ts';
import { calendarSpans, joined, type LocalSpan, localSpans } from './local-days.ts';

const dayMs = 86_400_000;

/** Days since 1970, to their names. */
const nameOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

async function intervals(name: TimeDimension, spans: readonly LocalSpan[]): Promise<string[]> {
  return (await listIntervals(name, { firstDay: '', spans }, [])).flat();
}

test.each([
  // zone, day, its slots by UTC, its hours
  ['UTC', '2026-05-04', ['05-04 00:00-05-05 00:00'], '00-23'],
  ['Asia/Kathmandu', '2026-05-04', ['05-03 18:15-05-04 18:15'], '00-23'],
  ['America/New_York', '2026-03-08', ['03-08 05:00-03-09 04:00'], '00-01 03-23'],
  ['America/New_York', '2026-11-01', ['11-01 04:00-11-02 05:00'], '00-23'],
  ['Australia/Lord_Howe', '2026-10-04', ['10-03 13:30-10-04 13:00'], '00-23'],
  // The clock jumps over midnight, or back to it.
  ['Africa/Cairo', '2026-04-24', ['04-23 22:00-04-24 21:00'], '01-23'],
  ['Asia/Beirut', '2026-10-24', ['10-23 21:00-10-24 22:00'], '00-23'],
  // Back over midnight a minute after it: the first quarter of an hour is the next day's.
  [
    'America/St_Johns',
    '2009-10-31',
    ['10-31 02:30-11-01 02:30', '11-01 02:45-11-01 03:30'],
    '00-23',
  ],
  [
    'America/St_Johns',
    '2009-11-01',
    ['11-01 02:30-11-01 02:45', '11-01 03:30-11-02 03:30'],
    '00-23',
  ],
  // Back over midnight by hours: two hours of a day, then an hour of the day before.
  [
    'Antarctica/Casey',
    '2010-03-04',
    ['03-03 13:00-03-04 13:00', '03-04 15:00-03-04 16:00'],
    '00-23',
  ],
  [
    'Antarctica/Casey',
    '2010-03-05',
    ['03-04 13:00-03-04 15:00', '03-04 16:00-03-05 16:00'],
    '00-23',
  ],
  // A day that begins a minute before its first slot.
  ['Africa/Monrovia', '1971-05-04', ['05-04 00:45-05-05 00:45'], '00-23'],
])('%s, %s', async (zone, day, pieces, hours) => {
  const spans = localSpans(day, day, zone);
  expect(joined(spans).map(({ fromMs, untilMs }) => `${short(fromMs)}-${short(untilMs)}`)).toEqual(
    pieces,
  );
  expect(await intervals('date', spans)).toEqual([day]);
  const expected = hours.split(' ').flatMap((range) => {
    const [from = 0, until = 0] = range.split('-').map(Number);
    return Array.from({ length: until - from + 1 }, (_, index) => from + index);
  });
  const shown = (await intervals('hourOfDay', spans)).map(Number);
  expect(shown.toSorted((one, other) => one - other)).toEqual(expected);
});

test.each([
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Kwajalein', '1993-08-21'],
  ['Pacific/Kiritimati', '1994-12-31'],
])('%s skipped %s: it has no slot, and no range has that day', async (zone, day) => {
  const at = Date.parse(day) / dayMs;
  expect(localSpans(day, day, zone)).toEqual([]);
  const around = localSpans(nameOf(at - 1), nameOf(at + 1), zone);
  expect(await intervals('date', around)).toEqual([nameOf(at - 1), nameOf(at + 1)]);
  expect(joined(around)).toHaveLength(1);
});

test('the days of a range over a leap day, and of none', async () => {
  const days = await intervals('date', localSpans('2028-02-28', '2028-03-01', 'Europe/Paris'));
  expect(days).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(await intervals('date', [])).toEqual([]);
  expect(await intervals('hourOfDay', [])).toEqual([]);
});

test('a slot by itself is of its day and its hour', async () => {
  const slot = { fromMs: Date.parse('2026-05-04T00:00Z'), offsetMs: 0 };
  const spans = [{ ...slot, untilMs: slot.fromMs + 900_000 }];
  expect(await intervals('date', spans)).toEqual(['2026-05-04']);
  expect(await intervals('hourOfDay', spans)).toEqual(['0']);
});

function short(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(5, 16).replace('T', ' ');
}

test.each([
  // Set forward the day before, and set back to the midnight after it.
  ['America/New_York', '2026-03-09', '2026-03-09T04:00Z', '2026-03-10T04:00Z', -4],
  ['America/Havana', '2026-10-31', '2026-10-31T04:00Z', '2026-11-01T04:00Z', -4],
])('in %s nothing is left of %s where the clock was set another time', (...[zone, day, ...own]) => {
  const [from, until, offsetHours] = own;
  expect(calendarSpans(day, day, zone)).toEqual([
    { fromMs: Date.parse(from), untilMs: Date.parse(until), offsetMs: offsetHours * 3_600_000 },
  ]);
});

test('a range that ends before it begins has no slots', () => {
  expect(calendarSpans('2026-05-04', '2026-05-03', 'UTC')).toEqual([]);
  expect(calendarSpans('2026-05-04', '2026-04-04', 'America/New_York')).toEqual([]);
});
