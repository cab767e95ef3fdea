import { expect, test } from 'vitest';
import type { AudienceDay, FactQuery } from '../../facts/facts.ts';
import { answerQuery } from './answer-query.ts';
import type { Query } from './query.ts';

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
  publications: { findVideoId: async () => 21 },
  videos: { known: async () => [] },
  names: { packages: async () => [], folders: async () => [] },
};

test('a range and the one before it are counted at once where few views are told apart', async () => {
  expect(await mostAtOnce(250_000)).toBe(2);
  expect(await mostAtOnce(250_001)).toBe(1);
});

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
    message: 'Days are counted again and again',
    retryAfterSeconds: 1,
  });
});
