/** Which days' views are counted by their plays. */
import { expect, test } from 'vitest';
import type { FactsPlan } from './query-plan.ts';
import { planRegular } from './regular-plan.ts';

const dayMs = 86_400_000;
const first = Date.UTC(2026, 4, 4);
const span = (from: number, until: number) => ({
  fromMs: first + from * dayMs,
  untilMs: first + until * dayMs,
});
const planned = {
  ...{ accountId: 7, spans: [span(0, 4)], clock: [], accepted: [], cut: [], shiftMs: 0 },
  counts: ['views', 'viewers'] as FactsPlan['counts'],
};
const clockOf = (offsetMs: number) => [{ sinceMs: first, offsetMs }];

interface Checked {
  /** From `first` on. */
  readonly days?: readonly number[];
  readonly playsUnchecked?: number;
}

async function regularOf(
  change: Partial<FactsPlan> & { shiftMs?: number },
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

test('also beside plays', async () => {
  expect(await regularOf({ counts: ['plays', 'views'] })).toBeDefined();
});

test.each<[string, Partial<FactsPlan>, Checked?]>([
  ['no day is checked', {}, { days: [] }],
  ['too many views are on other days', {}, { days: [1], playsUnchecked: 11 }],
  ['a suspect was accepted', { accepted: ['ADDRESS:2026-05-04:1'] }],
  ['something is being erased', { erased: { sql: 'videoId = 1', parameters: {} } }],
  ['no view has to be told apart', { counts: ['plays', 'mediaMs'] }],
  ['positions are asked for, too', { counts: ['views', 'seenMs'] }],
  ['waits are asked for, too', { counts: ['views', 'attempts'] }],
  ['there is no range', { spans: [] }],
])('told apart where %s', async (_, change, checked) => {
  expect(await regularOf(change, checked)).toBeUndefined();
});

const hourMs = 3_600_000;
test('told apart where a view may be in several rows', async () => {
  expect(await regularOf({}, {}, ['mediaHost'])).toBeUndefined();
});

/** The first of the days is Monday, 4 May. */
test.each([
  ['date', [0], [0, 1, 2, 3]],
  ['weekday', [0], [0, 1, 2, 3]],
  ['date', [9], []],
  ['weekday', [-0.25], []],
  ['week', [9], [0, 1, 2, 3]],
  // It begins on the first day, and on the last.
  ['week', [-9], [1, 2, 3]],
  ['week', [9 + 3 * 24], [0, 1, 2]],
  ['month', [9], [0, 1, 2, 3]],
  // Of a range compared with, 27 days before.
  ['month', [9, 27], [1, 2, 3]],
  ['month', [0, 27], [0, 1, 2, 3]],
  // Whose filters are as they are.
  ['week', [-9, 1], [1, 2, 3]],
  ['year', [9], [0, 1, 2, 3]],
  ['year', [9, 241], [1, 2, 3]],
  ['hour', [0], []],
  ['hourOfDay', [0], []],
  ['hourOfWeek', [0], []],
] as const)(
  'by %s, at %j hours from UTC: days %j',
  async (dimension, [hours, shiftDays = 0], expected) => {
    const change = { clock: clockOf(hours * hourMs), shiftMs: shiftDays * dayMs };
    const regular = await regularOf(change, {}, ['country', dimension]);
    const days = regular?.days.flatMap(({ fromMs, untilMs }) =>
      Array.from(
        { length: (untilMs - fromMs) / dayMs },
        (_, day) => (fromMs - first) / dayMs + day,
      ),
    );
    expect(days ?? []).toEqual(expected);
  },
);

test('a clock that is set within a day may leave it in two rows', async () => {
  // From UTC to an hour before it at noon of the second day, and back at its end: one date.
  const at = (days: number, offsetMs: number) => ({ sinceMs: first + days * dayMs, offsetMs });
  const clock = [at(0, 0), at(1.5, -hourMs), at(2, 0)];
  expect(await regularOf({ clock }, {}, ['date'])).toMatchObject({ days: [span(0, 4)] });
  // Set back by a day.
  const back = [at(0, 0), at(1.5, -dayMs), at(2, 0)];
  expect(await regularOf({ clock: back }, {}, ['date'])).toEqual({
    ...{ days: [span(0, 1), span(2, 4)], unchecked: [span(1, 2)] },
  });
});
