import { expect, test } from 'vitest';
import { createFormats } from './formats.ts';

const english = createFormats('en-US');
const korean = createFormats('ko-KR');

test.each([
  ['UTC', '2:30 AM', '오전 2:30'],
  ['Asia/Seoul', '11:30 AM', '오전 11:30'],
  ['America/New_York', '9:30 PM', '오후 9:30'],
])('the time of day is that of %s, wherever the reader is', (timeZone, inEnglish, inKorean) => {
  const instant = '2026-11-20T02:30:00Z';
  expect(english.clock(instant, timeZone).replace('\u202f', ' ')).toBe(inEnglish);
  expect(korean.clock(instant, timeZone)).toBe(inKorean);
});

test.each([
  [0, '0s', '0초'],
  [90_000, '1m 30s', '1분 30초'],
  [1.5 * 3_600_000, '1.5h', '1.5시간'],
  [1_500 * 3_600_000, '1,500h', '1,500시간'],
  [15_000 * 3_600_000, '15K hr', '1.5만시간'],
])('on an axis, %d ms are written as %s', (ms, inEnglish, inKorean) => {
  expect(english.short(ms, 'duration')).toBe(inEnglish);
  expect(korean.short(ms, 'duration')).toBe(inKorean);
});
