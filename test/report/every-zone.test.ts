/** The slots of days and hours, in every zone of the runtime and on every day since 1970. */
import { describe, expect, test } from 'vitest';
import { type ClockOffset, clockOffsets } from '../../src/lib/time/time-zone.ts';
import { listIntervals } from '../../src/query/labels/time-labels.ts';
import { joined, type LocalSpan, localSpans, spansAt } from '../../src/query/ranges/local-days.ts';
import { zoneSets } from '../support/zones.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
/** In days since 1970. */
const firstDay = 1;
const lastDay = Date.UTC(2037, 11, 31) / dayMs;
const endMs = (lastDay + 4) * dayMs;

/** Days since 1970, to their names. */
const nameOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/**
 * Ranges that are all days since 1970: each day by itself for as long as a change of the clock is
 * near, and the quiet days between two changes as one range.
 */
function ranges(offsets: readonly ClockOffset[]): [number, number][] {
  const changes = offsets.slice(1).map(({ sinceMs }) => Math.floor(sinceMs / dayMs));
  const near = new Set(changes.flatMap((day) => [day - 1, day, day + 1]));
  const found: [number, number][] = [];
  let next = firstDay;
  for (const day of [...near].toSorted((one, other) => one - other)) {
    if (day < firstDay || day > lastDay) continue;
    if (next < day) found.push([next, day - 1]);
    found.push([day, day]);
    next = day + 1;
  }
  if (next <= lastDay) found.push([next, lastDay]);
  return found;
}

describe.each(zoneSets)('of $which', ({ zones, tags }) => {
  test('days share out the time: each slot is of the one day that its clock shows', {
    tags,
  }, () => {
    const wrong: string[] = [];
    for (const zone of zones) {
      const offsets = clockOffsets(zone, 0, endMs);
      const spansOf = (first: number, last: number) =>
        spansAt(nameOf(first), nameOf(last), offsets, endMs);
      const all: LocalSpan[] = [];
      for (const [first, last] of ranges(offsets)) {
        const spans = spansOf(first, last);
        for (const { fromMs, untilMs, offsetMs } of spans) {
          const shown = [fromMs, untilMs - slotMs].map((slot) => (slot + offsetMs) / dayMs);
          const isAsked = shown.every((day) => day >= first && day < last + 1);
          if (!isAsked) wrong.push(`${zone} ${nameOf(first)}: answers another day`);
        }
        all.push(...spans);
      }
      const ascending = all.toSorted((one, other) => one.fromMs - other.fromMs);
      const whole = joined(spansOf(firstDay, lastDay));
      // Nothing is left out and nothing is in two days: together they are the whole, without a gap.
      if (JSON.stringify(joined(ascending)) !== JSON.stringify(whole)) wrong.push(`${zone}: parts`);
      if (whole.length !== 1) wrong.push(`${zone}: ${whole.length} pieces`);
    }
    expect(wrong).toEqual([]);
  });

  test('hours sum to their day, by itself and among others', { tags }, async () => {
    const wrong: string[] = [];
    /** Most changes are alike but for their day. */
    const seen = new Set<string>();
    for (const zone of zones) {
      const offsets = clockOffsets(zone, 0, endMs);
      const spansOf = (first: number, last: number) =>
        spansAt(nameOf(first), nameOf(last), offsets, endMs);
      for (const [day, last] of ranges(offsets)) {
        const around = spansOf(day - 1, day + 1);
        const since = (ms: number) => ms - day * dayMs;
        const form = around.map(({ fromMs, untilMs, offsetMs }) =>
          [since(fromMs), since(untilMs), offsetMs].join(),
        );
        if (day !== last || seen.has(form.join(';'))) continue;
        seen.add(form.join(';'));
        const own = spansOf(day, day);
        const hours = Map.groupBy(slotsIn(own), (slot) => hourOf(localMs(slot, own)));
        const inHours = [...hours.values()].flat().toSorted((one, other) => one - other);
        // In a question about several days, the clock alone tells their rows apart.
        const ofDay = slotsIn(around).filter(
          (slot) => Math.floor(localMs(slot, around) / dayMs) === day,
        );
        if (String(inHours) !== String(ofDay)) wrong.push(`${zone} ${nameOf(day)}: other slots`);
        const keys = await listIntervals('hourOfDay', { firstDay: nameOf(day), spans: own }, []);
        const filled = keys.map(([key]) => Number(key)).toSorted();
        if (String(filled) !== String([...hours.keys()].toSorted()))
          wrong.push(`${zone} ${nameOf(day)}: other hours`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('spans have the offset that the platform calendar has at both ends', { tags }, () => {
    const wrong: string[] = [];
    for (const zone of zones) {
      const offsetAt = platformOffsets(zone);
      for (const { sinceMs } of clockOffsets(zone, firstDay * dayMs, endMs).slice(1)) {
        const near = (by: number) => nameOf(Math.floor(sinceMs / dayMs) + by);
        const spans = localSpans(near(-1), near(1), zone);
        for (const { fromMs, untilMs, offsetMs } of spans) {
          for (const slot of [fromMs, untilMs - slotMs]) {
            if (offsetAt(slot) !== offsetMs)
              wrong.push(`${zone} at ${new Date(slot).toISOString()}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

const slotsIn = (spans: readonly LocalSpan[]): number[] =>
  spans.flatMap(({ fromMs, untilMs }) =>
    Array.from({ length: (untilMs - fromMs) / slotMs }, (_, index) => fromMs + index * slotMs),
  );

/** What the clock shows, as the store reckons it: by the latest offset that has begun. */
function localMs(slot: number, spans: readonly LocalSpan[]): number {
  return slot + (spans.findLast(({ fromMs }) => fromMs <= slot)?.offsetMs ?? Number.NaN);
}

const hourOf = (local: number): number => new Date(local).getUTCHours();

/** By the platform's own calendar. */
function platformOffsets(timeZone: string): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  return (instantMs) => Date.parse(`${format.format(instantMs).replace(' ', 'T')}Z`) - instantMs;
}
