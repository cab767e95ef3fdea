import { expect, test } from 'vitest';
import type { AudienceDay, FactQuery } from '../../store/facts.ts';
import type { Fault } from '../../vocabulary/faults.ts';
import type { Query } from '../parse/query.ts';
import { answerQuery } from './query-run.ts';

const query: Query = {
  ...{ accountId: 7, firstDay: '2026-05-04', lastDay: '2026-05-06', timeZone: 'UTC' },
  ...{ measures: ['viewers'], dimensions: [], filters: [], labels: new Map(), sort: [] },
  ...{ compare: 'previous', fillZero: false, pageSize: 100 },
};
const nowMs = Date.UTC(2026, 5, 1);

/** How many statements that tell views apart run at once, with so many plays in each range. */
async function mostAtOnce(plays: number): Promise<number> {
  let [running, most] = [0, 0];
  const readMany = async <Row>({ name }: FactQuery): Promise<Row[]> => {
    if (name !== 'query facts') return [{ count_plays: plays }] as Row[];
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return [];
  };
  await answerQuery(query, nowMs, { facts: { ...nothing, readMany }, catalog });
  return most;
}

const nothing = {
  readMany: async <Row>(): Promise<Row[]> => [],
  unsettledDays: async () => [],
  checkedDays: async (): Promise<number[]> => [],
  audienceDays: async (): Promise<AudienceDay[]> => [],
  keptSince: async () => 0,
  countedWithin: async () => ({ accepted: [], mergesAll: true }),
};
const catalog = {
  publications: { findVideoIds: async () => new Map([['film', 21]]) },
  videos: { known: async () => [] },
  names: { packages: async () => [], folders: async () => [] },
};

test('a range and the one before it are counted at once where few views are told apart', async () => {
  expect(await mostAtOnce(250_000)).toBe(2);
  expect(await mostAtOnce(250_001)).toBe(1);
});

/** What is wrong, if single views are kept from this day on, by parameter. */
async function wrongIfKeptSince(day: string, compare: Query['compare']) {
  const facts = { ...nothing, keptSince: async () => Date.parse(day) };
  try {
    await answerQuery({ ...query, compare }, nowMs, { facts, catalog });
    return [];
  } catch (error) {
    return (error as Fault).errors?.map(({ parameter }) => parameter);
  }
}

test('a range that begins before what is kept is named, or else the one it is compared with', async () => {
  expect(await wrongIfKeptSince('2026-05-01', 'previous')).toEqual([]);
  expect(await wrongIfKeptSince('2026-05-02', 'previous')).toEqual(['compare']);
  expect(await wrongIfKeptSince('2026-05-02', 'year')).toEqual(['compare']);
  expect(await wrongIfKeptSince('2026-05-04', undefined)).toEqual([]);
  expect(await wrongIfKeptSince('2026-05-05', undefined)).toEqual(['sdate']);
  expect(await wrongIfKeptSince('2026-05-05', 'previous')).toEqual(['sdate']);
});

test.each([
  ['1969-12-28', '1970-01-02', 'UTC', 6],
  ['1950-06-01', '1950-06-03', 'Asia/Seoul', 3],
  ['2106-02-01', '2106-02-28', 'America/New_York', 28],
  ['0001-01-01', '0001-01-02', 'UTC', 2],
])(
  'from %s to %s in %s there are days to fill in, also without facts',
  async (first, last, timeZone, days) => {
    const range = { firstDay: first, lastDay: last, timeZone };
    const filled = { ...range, fillZero: true, dimensions: ['date'] as const };
    const { rows } = await answerOf(filled, {});
    expect(rows).toHaveLength(days);
    expect(rows[0]).toEqual({ date: first, ...shown(0, null) });
    expect(rows.at(-1)).toEqual({ date: last, ...shown(0, null) });
  },
);

/** A day that was counted again as often before its counts could be read. */
async function answerAfter(countings: number) {
  const day = Date.UTC(2026, 4, 4);
  let counted = 0;
  const facts = {
    ...nothing,
    audienceDays: async () => [{ day, countedAtMs: counted, marks: 0, namedViews: 0 }],
    async readMany<Row>({ name, parameters }: FactQuery): Promise<Row[]> {
      if (name !== 'query facts') return [{ count_plays: 9 }] as Row[];
      if (counted < countings) counted += 1;
      const isRead = parameters.countedAt?.toString() === String(counted);
      const total = { isTotal: 1, count_facts: 1, count_days: isRead ? 1 : 0 };
      return [{ ...total, count_viewers: isRead ? 5 : 0 }] as Row[];
    },
  };
  const asked = { ...query, lastDay: query.firstDay, compare: undefined };
  return answerQuery(asked, nowMs, { facts, catalog, leastPlaysOfRegular: 0 });
}

test('where days are counted again meanwhile, a question is planned again', async () => {
  expect((await answerAfter(0)).totals).toEqual({ viewers: 5 });
  expect((await answerAfter(4)).totals).toEqual({ viewers: 5 });
  await expect(answerAfter(5)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The store is recounting these days; retry',
    retryAfterSeconds: 1,
  });
});

const film = { videoId: 21, accessKey: 'film', title: 'Film', folderId: 3, durationMs: 60_000 };

/** Of sums: the rows of each range, by its first slot (in seconds), and what is asked. */
async function answerOf(change: Partial<Query>, rows: Readonly<Record<string, readonly object[]>>) {
  const readMany = async <Row>({ parameters }: FactQuery): Promise<Row[]> => {
    const from = Number(parameters.days_from0 ?? parameters.slots_from0) * 1_000;
    return [...(rows[new Date(from).toISOString().slice(0, 10)] ?? [])] as Row[];
  };
  const { videos: _, ...others } = catalog;
  return answerQuery(
    { ...query, measures: ['plays', 'averagePlayMs'], compare: undefined, ...change },
    nowMs,
    {
      facts: { ...nothing, readMany },
      catalog: { ...others, videos: { known: async () => [film] } },
    },
  );
}

const summed = (key: string | undefined, plays: number, playMs: number) => ({
  ...(key !== undefined && { key0: key }),
  ...{ count_plays: plays, count_playMs: playMs },
});
const shown = (plays: number, averagePlayMs: number | null) => ({ plays, averagePlayMs });

test('each row stands beside the one in its place in the range before', async () => {
  const rows = {
    '2026-05-04': [summed('2026-05-04', 2, 10), summed('2026-05-06', 1, 9)],
    '2026-05-01': [summed('2026-05-01', 4, 8), summed('2026-05-02', 1, 1)],
  };
  expect(await answerOf({ dimensions: ['date'], compare: 'previous' }, rows)).toEqual({
    rows: [
      { date: '2026-05-04', ...shown(2, 5), previous: shown(4, 2) },
      { date: '2026-05-06', ...shown(1, 9), previous: null },
    ],
    totals: { ...shown(3, 6), previous: shown(5, 2) },
  });
  const since = await answerOf(
    { dimensions: ['date'], compare: 'previous' },
    { '2026-05-04': rows['2026-05-04'] },
  );
  expect(since.totals).toEqual({ ...shown(3, 6), previous: null });
});

test('weeks are made later by as many days as the range is', async () => {
  // Wednesdays to Fridays: the three days before are in the same week.
  const range = { firstDay: '2026-05-06', lastDay: '2026-05-08' };
  const rows = {
    '2026-05-06': [summed('2026-05-04', 2, 10)],
    '2026-05-03': [summed('2026-05-04', 4, 8)],
  };
  const answer = await answerOf({ ...range, dimensions: ['week'], compare: 'previous' }, rows);
  expect(answer.rows).toEqual([{ week: '2026-05-04', ...shown(2, 5), previous: shown(4, 2) }]);
});
