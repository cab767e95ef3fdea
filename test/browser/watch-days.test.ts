import { expect, test } from 'vitest';
import { dayIn, dayName, daysBefore, duration } from '../../demo/watch-assets/days.js';
import { type Language, type MessageName, sayIn } from '../../src/http/pages/messages/messages.ts';

const readerOf = (locale: Language) => ({
  locale,
  say: (name: string) => sayIn(locale)(`say.${name}` as MessageName),
});

test.each([
  { moment: '2026-11-20T23:30:00Z', zone: 'Europe/Berlin', day: '2026-11-21' },
  { moment: '2026-11-20T23:30:00Z', zone: 'America/New_York', day: '2026-11-20' },
  { moment: '2026-11-20T18:20:00Z', zone: 'Asia/Kathmandu', day: '2026-11-21' },
  { moment: '2026-01-01T00:00:00Z', zone: 'UTC', day: '2026-01-01' },
])('$moment is on $day in $zone', ({ moment, zone, day }) => {
  expect(dayIn(new Date(moment), zone)).toBe(day);
});

test.each([
  { day: '2026-03-02', count: 6, before: '2026-02-24' },
  { day: '2026-03-30', count: 1, before: '2026-03-29' },
  { day: '2024-03-01', count: 1, before: '2024-02-29' },
])('$count days before $day is $before', ({ day, count, before }) => {
  expect(daysBefore(day, count)).toBe(before);
});

test.each([
  { seconds: 0, reads: '0 s' },
  { seconds: 59, reads: '59 s' },
  { seconds: 60, reads: '1 min 00 s' },
  { seconds: 3599, reads: '59 min 59 s' },
  { seconds: 3660, reads: '1 h 01 min' },
  { seconds: 36_000_000, reads: '10,000 h 00 min' },
])('$seconds seconds read $reads', ({ seconds, reads }) => {
  expect(duration(seconds, readerOf('en')).flat().join(' ')).toBe(reads);
});

test('days near today have names', () => {
  const namesIn = (locale: Language) =>
    ['2026-11-20', '2026-11-19', '2026-11-18'].map((day) =>
      dayName(day, '2026-11-20', readerOf(locale)),
    );
  expect(namesIn('en')).toEqual(['Today', 'Yesterday', 'Wed, Nov 18']);
  expect(namesIn('ko')).toEqual(['오늘', '어제', '11월 18일 (수)']);
});

test('durations have the units of the language', () => {
  expect(duration(3_660, readerOf('ko')).flat().join(' ')).toBe('1 시간 01 분');
});
