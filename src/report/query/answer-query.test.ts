import { expect, test } from 'vitest';
import type { FactQuery } from '../../facts/facts.ts';
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
  const facts = {
    readMany,
    unsettledDays: async () => [],
    checkedDays: async (): Promise<number[]> => [],
    audienceDays: async () => [],
    keptSince: async () => 0,
    countedWithin: async () => ({ accepted: [], mergesAll: true }),
  };
  const catalog = {
    publications: { findVideoId: async () => 21 },
    videos: { known: async () => [] },
    names: { packages: async () => [], folders: async () => [] },
  };
  await answerQuery(query, nowMs, { facts, catalog });
  return most;
}

test('a range and the one before it are counted at once where few views are told apart', async () => {
  expect(await mostAtOnce(250_000)).toBe(2);
  expect(await mostAtOnce(250_001)).toBe(1);
});
