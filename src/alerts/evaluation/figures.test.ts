import { expect, test } from 'vitest';
import type { Query } from '../../query/parse/query.ts';
import type { WholeAnswer } from '../../query/run/query-run.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { AlertInterval } from '../../wire/management/alerts.ts';
import type { QueryRow } from '../../wire/questions/audience-messages.ts';
import { mostConditions } from '../../wire/questions/question-parameters.ts';
import { type Asker, readMeasured, readSilence, type Statistics } from './figures.ts';
import { lastOver } from './intervals.ts';

const drop = { kind: 'drop', percent: 50, atLeast: 0, weeks: 2, filters: null } as const;
const askerIn = (timeZone: string): Asker => ({ accountId: 1, timeZone, labels: new Map() });

/**
 * Statistics that have these rows, whatever is asked from the first day that is kept on, and what
 * was asked of them.
 */
function statisticsOf(rows: readonly QueryRow[] = [], keptSince = '') {
  const queries: Query[] = [];
  const spans: unknown[] = [];
  const statistics: Statistics = {
    queryService: {
      async askWhole(query) {
        queries.push(query);
        if (query.firstDay < keptSince) throw new Fault('INVALID_PARAMETER', 'sdate: erased');
        const moment = { asOf: new Date(0), completeThrough: new Date(0) };
        return { ...({ rows, totals: {} } as unknown as WholeAnswer), ...moment };
      },
    },
    curves: {
      async playback({ accountId, fromMs, untilMs, filters }) {
        spans.push({ accountId, fromMs, untilMs, filters: filters.length });
        return { data: true, asOf: new Date(0), completeThrough: new Date(0) };
      },
    },
  };
  return { statistics, queries, spans };
}

test.each<[string, 'plays' | 'averagePlayMs', QueryRow[], object]>([
  [
    'the day, and the same weekday of each week before, the latest first',
    'plays',
    [
      ...[
        { date: '2026-11-05', plays: 3 },
        { date: '2026-11-12', plays: 5 },
      ],
      ...[
        { date: '2026-11-18', plays: 100 },
        { date: '2026-11-19', plays: 2 },
      ],
    ],
    { value: 2, before: [5, 3] },
  ],
  ['days without a row have no plays', 'plays', [], { value: 0, before: [0, 0] }],
  [
    'of an average they show nothing',
    'averagePlayMs',
    [{ date: '2026-11-12', averagePlayMs: 7 }],
    { value: null, before: [7, null] },
  ],
  [
    'nor does a row that has none',
    'averagePlayMs',
    [{ date: '2026-11-19', averagePlayMs: null }],
    { value: null, before: [null, null] },
  ],
])('of a day: %s', async (_, measure, rows, figures) => {
  const { statistics, queries } = statisticsOf(rows);
  const interval = lastOver('day', 'UTC', Date.UTC(2026, 10, 20));
  const terms = { ...drop, measure, per: 'day' } as const;
  expect(await readMeasured(terms, interval, askerIn('UTC'), statistics)).toEqual(figures);
  expect(queries).toMatchObject([{ accountId: 1, firstDay: '2026-11-05', lastDay: '2026-11-19' }]);
});

test.each([
  ['2026-11-12', [5, null]],
  ['2026-11-13', [null, null]],
])('with single views kept since %s, the weeks before show %j', async (keptSince, before) => {
  const rows = [
    { date: '2026-11-12', plays: 5 },
    { date: '2026-11-19', plays: 2 },
  ];
  const { statistics } = statisticsOf(rows, keptSince);
  const interval = lastOver('day', 'UTC', Date.UTC(2026, 10, 20));
  const terms = { ...drop, measure: 'plays', per: 'day' } as const;
  const figures = await readMeasured(terms, interval, askerIn('UTC'), statistics);
  expect(figures).toEqual({ value: 2, before });
});

test('a day whose own single views were erased is a fault', async () => {
  const { statistics } = statisticsOf([], '2026-11-20');
  const interval = lastOver('day', 'UTC', Date.UTC(2026, 10, 20));
  const terms = { ...drop, measure: 'plays', per: 'day' } as const;
  await expect(readMeasured(terms, interval, askerIn('UTC'), statistics)).rejects.toMatchObject({
    code: 'INVALID_PARAMETER',
  });
});

const berlin = (start: string, plays: number): QueryRow => ({ hour: start, plays });

test.each<[string, string, QueryRow[], object]>([
  [
    'the same hour of the weeks before',
    '2026-11-20T11:00:00Z',
    [berlin('2026-11-06T11:00:00+01:00', 1), berlin('2026-11-20T11:00:00+01:00', 4)],
    { value: 4, before: [0, 1] },
  ],
  [
    'the first of an hour that comes twice',
    '2026-10-25T01:00:00Z',
    [berlin('2026-10-25T02:00:00+02:00', 6), berlin('2026-10-25T02:00:00+01:00', 7)],
    { value: 6, before: [0, 0] },
  ],
  [
    'the second',
    '2026-10-25T02:00:00Z',
    [berlin('2026-10-25T02:00:00+02:00', 6), berlin('2026-10-25T02:00:00+01:00', 7)],
    { value: 7, before: [0, 0] },
  ],
])('of an hour: %s', async (_, through, rows, figures) => {
  const { statistics } = statisticsOf(rows);
  const per: AlertInterval = 'hour';
  const interval = lastOver(per, 'Europe/Berlin', Date.parse(through));
  const terms = { ...drop, measure: 'plays', per } as const;
  const asker = askerIn('Europe/Berlin');
  expect(await readMeasured(terms, interval, asker, statistics)).toEqual(figures);
});

test('a threshold asks for its day alone, within all its filters and its hour', async () => {
  const { statistics, queries } = statisticsOf();
  const limits = { kind: 'threshold', measure: 'plays', above: 1, below: null } as const;
  const interval = lastOver('hour', 'UTC', Date.UTC(2026, 10, 20));
  const filters = Array.from({ length: mostConditions }, () => 'os==iOS').join(';');
  const terms = { ...limits, per: 'hour', filters } as const;
  const figures = await readMeasured(terms, interval, askerIn('UTC'), statistics);
  expect(figures).toEqual({ value: 0, before: [] });
  expect(queries).toMatchObject([{ firstDay: '2026-11-19', lastDay: '2026-11-19' }]);
  const ofHour = { dimension: 'hourOfDay', operator: '==', values: ['23'] };
  expect(queries[0]?.filters).toHaveLength(mostConditions + 1);
  expect(queries[0]?.filters).toContainEqual(ofHour);
});

test('silence asks for its span and filters; a filter that is no longer read is a fault', async () => {
  const { statistics, spans } = statisticsOf();
  const span = { fromMs: 5, untilMs: 9 };
  const silence = { kind: 'silence', minutes: 5 } as const;
  const read = (filters: string | null) =>
    readSilence({ ...silence, filters }, span, askerIn('UTC'), statistics);
  expect(await read(null)).toEqual({ isPlaying: true });
  expect(await read('os==iOS')).toEqual({ isPlaying: true });
  await expect(read('label.gone==a')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  expect(spans).toEqual([
    { accountId: 1, ...span, filters: 0 },
    { accountId: 1, ...span, filters: 1 },
  ]);
});
