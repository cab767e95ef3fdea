import { expect, test } from 'vitest';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { mostRows } from '../../wire/questions/audience-messages.ts';
import { noCounts } from '../plan/counts.ts';
import { localSpans } from '../ranges/local-days.ts';
import { fillZero } from './zero-rows.ts';

const query = { dimensions: ['date', 'host'], filters: [] } as const;
const calendarOf = (firstDay: string, lastDay: string) => {
  return { firstDay, spans: localSpans(firstDay, lastDay, 'UTC') };
};
/** Each host has playback on the first of 1,000 days. */
const calendar = calendarOf('2024-01-01', '2026-09-26');
const rowsOf = (hosts: number) =>
  Array.from({ length: hosts }, (_, host) => ({
    keys: ['2024-01-01', `host${host}`],
    counts: { ...noCounts, plays: 1 },
  }));

test('each interval is added to what has playback in another', async () => {
  const filled = await fillZero(rowsOf(2), query, calendarOf('2024-01-01', '2024-01-02'));
  expect(filled.map(({ keys, counts }) => [...keys, counts.plays])).toEqual([
    ['2024-01-01', 'host0', 1],
    ['2024-01-01', 'host1', 1],
    ['2024-01-02', 'host0', 0],
    ['2024-01-02', 'host1', 0],
  ]);
});

test.each([
  [['host', 'date'], [['host0', '2024-01-01']], [['host0', '2024-01-02']]],
  [['date'], [['2024-01-01']], [['2024-01-02']]],
  [['date'], [], [['2024-01-01'], ['2024-01-02']]],
  [['host'], [['host0']], []],
  [['date', 'host'], [], []],
] as const)('by %j of %j, %j are added', async (dimensions, given, added) => {
  const rows = given.map((keys) => ({ keys, counts: { ...noCounts, plays: 1 } }));
  const calendar = calendarOf('2024-01-01', '2024-01-02');
  const filled = await fillZero(rows, { dimensions, filters: [] }, calendar);
  expect(filled).toEqual([...rows, ...added.map((keys) => ({ keys, counts: noCounts }))]);
});

test('as many rows as an answer may have are made in portions, and not one more', async () => {
  let turns = 0;
  let isDone = false;
  const counting = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  expect(await fillZero(rowsOf(100), query, calendar)).toHaveLength(mostRows);
  isDone = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(mostRows / 2_000);
  const oneMore = fillZero(rowsOf(101), query, calendar);
  const message = expect.stringContaining(`would have ${(101 * mostRows) / 100} rows`);
  await expect(oneMore).rejects.toMatchObject({ code: 'TOO_MANY_ROWS', message });
});
