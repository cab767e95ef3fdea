import { expect, test } from 'vitest';
import { zoneSets } from '../../../test/support/zones.ts';
import { canonicalTimeZone, clockOffsets } from './time-zone.ts';

const quarterMs = 15 * 60 * 1_000;

for (const { which, zones, tags } of zoneSets)
  test(`clock offsets are those of the platform calendar, at every change of ${which}`, {
    tags,
  }, () => {
    const differences: string[] = [];
    for (const zone of zones) {
      const platformOffset = platformOffsetOf(zone);
      const offsets = clockOffsets(zone, Date.UTC(2015, 0), Date.UTC(2036, 0));
      for (const [index, { sinceMs, offsetMs }] of offsets.entries()) {
        const until = offsets[index + 1]?.sinceMs ?? Date.UTC(2036, 0);
        for (const instant of [sinceMs, sinceMs + quarterMs, until - quarterMs]) {
          if (platformOffset(instant) !== offsetMs) differences.push(`${zone} at ${instant}`);
        }
      }
    }
    expect(differences).toEqual([]);
  });

test.each([
  ['asia/seoul', 'Asia/Seoul'],
  ['UTC', 'UTC'],
  ['+09:00', undefined],
  ['Mars/Olympus', undefined],
  ['', undefined],
  ['../etc/passwd', undefined],
])('canonical name of %j', (name, canonical) => {
  expect(canonicalTimeZone(name)).toBe(canonical);
});

function platformOffsetOf(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - instant;
}
