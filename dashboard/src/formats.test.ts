/** Every text of a figure, a duration or a date, by value: as whoever reads it sees it. */
import { expect, test } from 'vitest';
import { createFormats, type Formats } from './formats.ts';

const [english, korean] = [createFormats('en-US'), createFormats('ko-KR')];
const hourMs = 3_600_000;
/** The languages have spaces of many kinds. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

type Row<Value> = readonly [value: Value, inEnglish: string, inKorean: string];

/** Each value, as it is written in both languages. */
function written<Value>(
  what: string,
  write: (formats: Formats, value: Value) => string,
  rows: readonly Row<Value>[],
): void {
  test.each(rows)(`${what}: %j is written as %s, in Korean as %s`, (value, inEnglish, inKorean) => {
    expect(plain(write(english, value))).toBe(inEnglish);
    expect(plain(write(korean, value))).toBe(inKorean);
  });
}

written('a duration', (formats, ms) => formats.duration(ms), [
  [0, '0s', '0초'],
  [499, '0s', '0초'],
  [500, '1s', '1초'],
  [59_499, '59s', '59초'],
  [59_500, '1m', '1분'],
  [90_000, '1m 30s', '1분 30초'],
  [hourMs - 501, '59m 59s', '59분 59초'],
  [hourMs - 500, '1h', '1시간'],
  [hourMs + 60_000, '1h 1m', '1시간 1분'],
  [2 * hourMs - 1_000, '1h 59m 59s', '1시간 59분 59초'],
  [10 * hourMs - 501, '9h 59m 59s', '9시간 59분 59초'],
  // Of hundreds of hours nobody reads the seconds.
  [10 * hourMs + 59_000, '10h', '10시간'],
  [24 * hourMs + 61_000, '24h 1m', '24시간 1분'],
  [1_500 * hourMs, '1,500h', '1,500시간'],
]);

written('a position in a film', (formats, ms) => formats.position(ms), [
  [0, '0:00', '0:00'],
  [59_999, '0:59', '0:59'],
  [60_000, '1:00', '1:00'],
  [hourMs - 1, '59:59', '59:59'],
  [3_723_500, '1:02:03', '1:02:03'],
  [10 * hourMs, '10:00:00', '10:00:00'],
]);

written('a share', (formats, value) => formats.share(value), [
  [0, '0%', '0%'],
  [0.0004, '0.04%', '0.04%'],
  [0.00004, '0%', '0%'],
  [0.0113, '1.1%', '1.1%'],
  [0.1235, '12.4%', '12.4%'],
  [0.9994, '99.9%', '99.9%'],
  [12.5, '1,250%', '1,250%'],
]);

written('a change', (formats, value) => formats.change(value), [
  [0, '0%', '0%'],
  [-0.004, '0%', '0%'],
  [0.005, '+1%', '+1%'],
  [-0.256, '-26%', '-26%'],
  [12, '+1,200%', '+1,200%'],
]);

written('a size', (formats, bytes) => formats.bytes(bytes), [
  [0, '0 byte', '0byte'],
  [999, '999 byte', '999byte'],
  [1_000, '1 kB', '1kB'],
  [1_050, '1.1 kB', '1.1kB'],
  [1_234_567, '1.2 MB', '1.2MB'],
  [5e12, '5 TB', '5TB'],
  [5e15, '5,000 TB', '5,000TB'],
]);

written('a measure', (formats, [value, unit]) => formats.measure(value, unit), [
  [[null, 'count'], '–', '–'],
  [[undefined, 'duration'], '–', '–'],
  [[0, 'count'], '0', '0'],
  [[1_234_567, 'count'], '1,234,567', '1,234,567'],
  [[90_000, 'duration'], '1m 30s', '1분 30초'],
  [[0.256, 'share'], '25.6%', '25.6%'],
  [[null, 'wait'], '–', '–'],
  [[0, 'wait'], '0s', '0초'],
  [[834, 'wait'], '0.83s', '0.83초'],
  [[4_180, 'wait'], '4.18s', '4.18초'],
  [[12_345, 'wait'], '12.3s', '12.3초'],
  [[75_000, 'wait'], '1m 15s', '1분 15초'],
  [[1.8042, 'rate'], '1.8/h', '1.8/h'],
  [[3_542, 'bitrate'], '3,542 kbit/s', '3,542 kbit/s'],
] as Row<Parameters<Formats['measure']>>[]);

written('at an axis', (formats, [value, unit]) => formats.short(value, unit), [
  [[999, 'count'], '999', '999'],
  [[12_345, 'count'], '12.3K', '1.2만'],
  [[0.25, 'share'], '25%', '25%'],
  [[0, 'duration'], '0s', '0초'],
  [[500, 'wait'], '0.5s', '0.5초'],
  [[2.5, 'rate'], '2.5/h', '2.5/h'],
  [[800, 'bitrate'], '800 kbit/s', '800 kbit/s'],
  [[2_500, 'bitrate'], '2.5 Mbit/s', '2.5 Mbit/s'],
  [[hourMs - 1_000, 'duration'], '59m 59s', '59분 59초'],
  [[1.5 * hourMs, 'duration'], '1.5h', '1.5시간'],
  [[1_500 * hourMs, 'duration'], '1,500h', '1,500시간'],
  [[15_000 * hourMs, 'duration'], '15K hr', '1.5만시간'],
] as Row<Parameters<Formats['short']>>[]);

written('a day', (formats, day) => formats.date(day), [
  ['2026-01-01', 'Jan 1, 2026', '2026. 1. 1.'],
  ['2024-02-29', 'Feb 29, 2024', '2024. 2. 29.'],
]);

written('days', (formats, [from, to]) => formats.range(from, to), [
  [['2026-01-01', '2026-01-01'], 'Jan 1, 2026', '2026. 1. 1.'],
  [['2026-01-01', '2026-01-31'], 'Jan 1 – 31, 2026', '2026. 1. 1. ~ 2026. 1. 31.'],
  [['2025-12-31', '2026-01-01'], 'Dec 31, 2025 – Jan 1, 2026', '2025. 12. 31. ~ 2026. 1. 1.'],
] as Row<Parameters<Formats['range']>>[]);

written('a label of time', (formats, label) => formats.time(...label), [
  // In the zone of the account already, whatever its offset is.
  [['2026-11-20T00:00:00+05:45', 'hour'], '12 AM', '오전 12시'],
  [['2026-11-20T23:00:00-11:00', 'hour', 'long'], 'Fri, Nov 20, 11 PM', '11월 20일 (금) 오후 11시'],
  [['2026-11-20', 'date'], 'Nov 20', '11월 20일'],
  [['2026-11-20', 'date', 'long'], 'Friday, November 20, 2026', '2026년 11월 20일 금요일'],
  [['2026-11-16', 'week'], 'Nov 16', '11월 16일'],
  [['2026-11-16', 'week', 'long'], 'November 16, 2026', '2026년 11월 16일'],
  [['2026-11-01', 'month'], 'Nov 26', '26년 11월'],
  [['2026-11-01', 'month', 'long'], 'November 2026', '2026년 11월'],
] as Row<Parameters<Formats['time']>>[]);

const instant = '2026-11-20T02:30:45Z';

written('a time of day, wherever the reader is', (formats, zone) => formats.clock(instant, zone), [
  ['UTC', '2:30 AM', '오전 2:30'],
  ['Asia/Seoul', '11:30 AM', '오전 11:30'],
  ['America/New_York', '9:30 PM', '오후 9:30'],
]);

written('an instant', (formats, zone) => formats.instant(instant, zone), [
  ['Asia/Seoul', 'Nov 20, 2026, 11:30 AM', '2026. 11. 20. 오전 11:30'],
  ['America/New_York', 'Nov 19, 2026, 9:30 PM', '2026. 11. 19. 오후 9:30'],
]);

written('a moment', (formats, zone) => formats.moment(new Date(instant), zone), [
  ['Asia/Seoul', 'Nov 20, 2026, 11:30:45 AM', '2026. 11. 20. 오전 11:30:45'],
  ['America/New_York', 'Nov 19, 2026, 9:30:45 PM', '2026. 11. 19. 오후 9:30:45'],
]);

written('a weekday', (formats, day) => formats.weekday(day), [
  [1, 'Mon', '월'],
  [7, 'Sun', '일'],
]);

written('a country', (formats, code) => formats.country(code), [
  ['KR', 'South Korea', '대한민국'],
  ['Unknown', 'Unknown', 'Unknown'],
]);
