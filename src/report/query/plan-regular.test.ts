/** Which days' views are counted by their plays. */
import { expect, test } from 'vitest';
import { planRegular } from './plan-regular.ts';
import type { FactsPlan } from './query-plan.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 4, 4);
const span = (from: number, until: number) => ({
  fromMs: first + from * dayMs,
  untilMs: first + until * dayMs,
});
const planned = {
  ...{ accountId: 7, spans: [span(0, 4)], clock: [], accepted: [], cut: [] },
  counts: ['views', 'viewers'] as FactsPlan['counts'],
};
const clockOf = (offsetMs: number) => [{ sinceMs: first, offsetMs }];

interface Checked {
  /** From `first` on. */
  readonly days?: readonly number[];
  readonly playsUnchecked?: number;
}

async function regularOf(
  change: Partial<FactsPlan>,
  { days = [0, 1, 2, 3], playsUnchecked = 10 }: Checked = {},
  asked: Parameters<typeof planRegular>[1] = ['country'],
) {
  return planRegular({ ...planned, ...change }, asked, {
    facts: {
      checkedDays: async ({ fromMs, untilMs }) =>
        days.map((day) => first + day * dayMs).filter((at) => at >= fromMs && at < untilMs),
    },
    playsWithin: async (spans) => (spans.length === 0 ? 0 : playsUnchecked),
    mostUnchecked: 10,
  });
}

test.each<[string, Partial<FactsPlan>, Checked, object]>([
  ['all days', {}, {}, { days: [span(0, 4)], unchecked: [] }],
  ['but the last', {}, { days: [0, 1, 2] }, { days: [span(0, 3)], unchecked: [span(3, 4)] }],
  [
    'but one between',
    {},
    { days: [0, 2, 3] },
    { days: [span(0, 1), span(2, 4)], unchecked: [span(1, 2)] },
  ],
  [
    'days that the range has a part of are not whole',
    { spans: [span(0.25, 3.5)] },
    {},
    { days: [span(1, 3)], unchecked: [span(0.25, 1), span(3, 3.5)] },
  ],
  [
    'a day in two spans is whole',
    { spans: [span(0, 1.5), span(1.5, 3)] },
    {},
    { days: [span(0, 3)], unchecked: [] },
  ],
  [
    'a day that the zone skipped is in neither',
    { spans: [span(0, 1), span(2, 3)] },
    {},
    { days: [span(0, 1), span(2, 3)], unchecked: [] },
  ],
  [
    'a slot that is cut',
    { cut: [{ fromMs: first + dayMs, untilMs: first + dayMs + 5 }] },
    {},
    { days: [span(0, 1), span(2, 4)], unchecked: [span(1, 2)] },
  ],
])('by plays: %s', async (_, change, checked, expected) => {
  expect(await regularOf(change, checked)).toEqual(expected);
});

test.each<[string, Partial<FactsPlan>, Checked?]>([
  ['no day is checked', {}, { days: [] }],
  ['too many views are on other days', {}, { days: [1], playsUnchecked: 11 }],
  ['a suspect was accepted', { accepted: ['ADDRESS:2026-05-04:1'] }],
  ['something is being erased', { erased: { sql: 'videoId = 1', parameters: {} } }],
  ['no view has to be told apart', { counts: ['plays', 'mediaMs'] }],
  ['positions are asked for, too', { counts: ['views', 'seenMs'] }],
  ['there is no range', { spans: [] }],
])('told apart where %s', async (_, change, checked) => {
  expect(await regularOf(change, checked)).toBeUndefined();
});

test.each([
  ['date', 0, true],
  ['weekday', 0, true],
  ['month', 32_400_000, false],
  ['hour', 0, false],
  ['hourOfDay', 0, false],
] as const)('by %s, at %d ms from UTC: %s', async (dimension, offsetMs, isByPlays) => {
  const regular = await regularOf({ clock: clockOf(offsetMs) }, {}, ['country', dimension]);
  expect(regular !== undefined).toBe(isByPlays);
});
