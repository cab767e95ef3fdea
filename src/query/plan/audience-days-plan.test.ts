/** Which days are read as counts. */
import { expect, test } from 'vitest';
import { askedOfDays, planAudienceDays } from './audience-days-plan.ts';
import type { AudienceDays, FactsPlan } from './query-plan.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const first = Date.UTC(2026, 4, 4);
const span = (from: number, until: number) => ({
  fromMs: first + from * dayMs,
  untilMs: first + until * dayMs,
});
const clockOf = (hours: number) => [{ sinceMs: first - dayMs, offsetMs: hours * hourMs }];

const counted: Pick<FactsPlan, 'counts' | 'accepted' | 'erased' | 'clock'> = {
  ...{ counts: ['plays', 'viewers'], accepted: [], erased: undefined, clock: clockOf(0) },
};
const filter = { dimension: 'os', operator: '==', values: ['iOS'] } as const;
const labels = new Map([['plan', 3]]);

test.each([
  [[], 'total'],
  [['month'], 'total'],
  [['date'], 'total'],
  [['hour'], 'hour'],
  [['hourOfDay'], 'hour'],
  [['hourOfWeek'], 'hour'],
  [['country'], 'country'],
  [['date', 'country'], 'country'],
  [['os'], 'os'],
  [['osVersion', 'os'], 'osVersion'],
  [['browser', 'browserVersion'], 'browserVersion'],
  [['label.plan', 'week'], 'label3'],
  [['hour', 'country'], undefined],
  [['os', 'osVersion', 'country'], undefined],
  [['country', 'device'], undefined],
  [['folder'], 'video'],
  [['folder', 'month'], 'video'],
] as const)('rows by %j are made of counts by %s', (dimensions, grouping) => {
  expect(askedOfDays(counted, { dimensions, filters: [], labels })?.grouping).toBe(grouping);
});

test.each([
  ['date', 9, 'split'],
  ['weekday', 5.5, 'split'],
  ['month', 9, 'total'],
  ['month,date', 9, 'split'],
] as const)('by %s, at %d hours from UTC, of counts by %s', (names, hours, grouping) => {
  const planned = { ...counted, clock: clockOf(hours) };
  const dimensions = names.split(',') as ('month' | 'date' | 'weekday')[];
  const query = { dimensions, filters: [], labels };
  expect(askedOfDays(planned, query)?.grouping).toBe(grouping);
});

test('where the clock is that of UTC for a part of the range, dates begin within days, too', () => {
  const clock = [...clockOf(0), { sinceMs: first + dayMs, offsetMs: hourMs }];
  const query = { dimensions: ['date'] as const, filters: [], labels };
  expect(askedOfDays({ ...counted, clock }, query)?.grouping).toBe('split');
});

test.each<[string, Partial<typeof counted>, Parameters<typeof askedOfDays>[1]['filters']]>([
  ['a suspect was accepted', { accepted: ['ADDRESS:2026-05-04:1'] }, []],
  ['something is being erased', { erased: { sql: 'videoId = 1', parameters: {} } }, []],
  ['another dimension is filtered', {}, [filter]],
])('no counts of days where %s', (_, change, filters) => {
  const query = { dimensions: ['country'] as const, filters, labels };
  expect(askedOfDays({ ...counted, ...change }, query)).toBeUndefined();
});

test.each([
  [[], 0, 'total'],
  [['video', 'month'], 9, 'video'],
  [['package'], 0, 'package'],
  [['country'], 0, undefined],
  [['hourOfDay'], 0, undefined],
  [['date'], 9, undefined],
] as const)('what views saw by %j, at %d hours from UTC, is kept by %s', (by, hours, grouping) => {
  const asked = { ...counted, counts: ['views', 'seenMs'] as const, clock: clockOf(hours) };
  const query = { dimensions: by, filters: [], labels };
  expect(askedOfDays(asked, query)?.grouping).toBe(grouping);
});

const isOs = filter;
const isVersion = { ...filter, dimension: 'osVersion' } as const;
const isVideo = { ...filter, dimension: 'video', values: ['key'] } as const;
test.each([
  [[], [isOs], 'os'],
  [['month'], [isOs], 'os'],
  [['os'], [isOs], 'os'],
  [['week', 'video'], [isVideo], 'video'],
  [[], [isVersion, isOs], 'osVersion'],
  [['os'], [isVersion, isOs], 'osVersion'],
  [[], [{ ...filter, dimension: 'label.plan' }], 'label3'],
  [[], [isVersion], undefined],
  [['os', 'osVersion'], [isOs], undefined],
  [['hour'], [isOs], undefined],
  [['country'], [isVideo], undefined],
  [[], [isVideo, isOs], undefined],
  [[], [isOs, isOs], undefined],
  [[], [isVersion, { ...isOs, operator: '!=' }], undefined],
  [[], [isVersion, isVersion, isOs], undefined],
  [[], [isVersion, isVersion], undefined],
  [[], [{ ...isOs, values: ['iOS', 'Android'] }], undefined],
  [[], [{ ...isOs, operator: '!=' }], undefined],
  [[], [{ ...isVideo, isOfCaption: true }], undefined],
  [[], [{ ...filter, dimension: 'folder' }], undefined],
  [[], [{ ...filter, dimension: 'weekday' }], undefined],
] as const)('rows by %j of one value, %j, are made of counts by %s', (by, filters, grouping) => {
  const found = askedOfDays(counted, { dimensions: by, filters, labels });
  expect(found).toEqual(grouping && { grouping, rowsAre: 'one value' });
});

interface Known {
  /** From `first` on. */
  readonly days?: readonly number[];
  readonly grouping?: AudienceDays['grouping'];
  readonly playsBeside?: number;
  readonly emptyDays?: readonly number[];
  readonly settledUntil?: number;
}

const dayOf = (day: number) => ({
  ...{ day: first + day * dayMs, countedAtMs: 1, marks: 0, namedViews: 0 },
});

async function planOf(
  change: Partial<Pick<FactsPlan, 'spans' | 'clock' | 'cut'>>,
  {
    days = [0, 1, 2, 3],
    grouping = 'total',
    playsBeside = 10,
    emptyDays = [],
    settledUntil = 100,
  }: Known = {},
  dimensions: Parameters<typeof planAudienceDays>[1]['dimensions'] = [],
) {
  const planned = { accountId: 7, spans: [span(0, 4)], clock: clockOf(0), cut: [], shiftMs: 0 };
  return planAudienceDays(
    { ...planned, ...change },
    { grouping, rowsAre: 'values', dimensions },
    {
      settledUntilMs: first + settledUntil * dayMs,
      facts: {
        audienceDays: async ({ fromMs, untilMs }) =>
          days.map(dayOf).filter(({ day }) => day >= fromMs && day + dayMs <= untilMs),
      },
      playsWithin: async (spans) => (spans.length === 0 ? 0 : playsBeside),
      daysWithFacts: async () =>
        [0, 1, 2, 3].filter((day) => !emptyDays.includes(day)).map((day) => first + day * dayMs),
      mostBeside: 10,
    },
  );
}

const planned = (days: readonly number[], dateFromHour = 0) =>
  days.map((day) => ({ ...dayOf(day), dateFromHour }));

test.each<[string, Parameters<typeof planOf>[0], Known, object]>([
  ['all days', {}, {}, { days: planned([0, 1, 2, 3]), rest: [], uncounted: [], playsBeside: 0 }],
  [
    'but one',
    {},
    { days: [0, 1, 3] },
    { days: planned([0, 1, 3]), rest: [span(2, 3)], uncounted: [span(2, 3)], playsBeside: 10 },
  ],
  [
    'days without facts are not read, nor looked for elsewhere',
    { spans: [span(-0.5, 4)] },
    { days: [1, 2], emptyDays: [-1, 0] },
    {
      days: planned([1, 2]),
      rest: [span(3, 4)],
      uncounted: [span(3, 4)],
      playsBeside: 10,
    },
  ],
  [
    'parts of counted days are read from facts that are nowhere else',
    { spans: [span(0.5, 3.5)] },
    { days: [0, 1, 2] },
    {
      days: planned([1, 2]),
      rest: [span(0.5, 1), span(3, 3.5)],
      uncounted: [span(3, 3.5)],
      playsBeside: 10,
    },
  ],
  [
    'a day that is cut',
    { cut: [{ fromMs: first + 3 * dayMs, untilMs: first + 3 * dayMs + 5 }] },
    {},
    { days: planned([0, 1, 2]), rest: [span(3, 4)], uncounted: [], playsBeside: 10 },
  ],
])('read as counts: %s', async (_, change, known, expected) => {
  expect(await planOf(change, known)).toEqual({
    grouping: 'total',
    rowsAre: 'values',
    ...expected,
  });
});

test.each<[string, Parameters<typeof planOf>[0], Known]>([
  ['no day is counted', {}, { days: [] }],
  ['too many plays are on other days', {}, { days: [1], playsBeside: 11 }],
  ['hours of the zone are not those of UTC', { clock: clockOf(5.5) }, { grouping: 'hour' }],
  ['no date of the zone begins with an hour', { clock: clockOf(5.75) }, { grouping: 'split' }],
])('read as facts where %s', async (_, change, known) => {
  expect(await planOf(change, known)).toBeUndefined();
});

test.each([
  [9, 15],
  [-5, 5],
  [0, 0],
  [14, 10],
])('at %d hours from UTC a date begins at %d', async (hours, dateFromHour) => {
  const plan = await planOf({ clock: clockOf(hours) }, { grouping: 'split' }, ['date']);
  expect(plan?.days).toEqual(planned([0, 1, 2, 3], dateFromHour));
});

test('a day on which the clock is set is read from facts where its hours matter', async () => {
  const clock = [...clockOf(1), { sinceMs: first + 1.5 * dayMs, offsetMs: 2 * hourMs }];
  for (const grouping of ['hour', 'split'] as const) {
    const plan = await planOf({ clock }, { grouping }, ['date']);
    expect(plan?.days.map(({ day }) => (day - first) / dayMs)).toEqual([0, 2, 3]);
    expect(plan?.rest).toEqual([span(1, 2)]);
  }
  expect((await planOf({ clock }, {}, ['month']))?.rest).toEqual([]);
});
