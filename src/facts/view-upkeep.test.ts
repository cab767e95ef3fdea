/** Which days are checked in the background, and when. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { systemClock } from '../lib/clock.ts';
import { noTraces } from '../lib/traces.ts';
import { type FactStore, openFactStore } from './fact-store.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { leastPlaysToCheck } from './regular-view.ts';
import { noVerdictSource } from './verdicts.ts';
import { createViewUpkeep } from './view-upkeep.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;

let store: FactStore;
beforeAll(async () => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  store = openFactStore({ ...inject('engineAccess'), database });
  await migrate(store, migrations, systemClock);
});
afterAll(() => store.close());
beforeEach(async () => {
  for (const table of ['touched', 'playback_sum', 'checked_day']) {
    await store.command({ name: 'test', sql: `TRUNCATE TABLE ${table}`, parameters: {} });
  }
});

/** `daysAgo`: of the day that was played, and noted so long ago. */
async function play(accountId: number, daysAgo: number, plays: number, agoMs = dayMs) {
  const day = today / 1_000 - daysAgo * 86_400;
  await store.command({
    name: 'test',
    sql: `INSERT INTO playback_sum (accountId, grouping, slot, plays)
      SELECT {accountId:UInt32}, 'account-day', toDateTime({day:UInt32}), {plays:UInt64}`,
    parameters: { accountId, day, plays },
  });
  await store.command({
    name: 'test',
    sql: `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({at:Int64}), {accountId:UInt32}, toDateTime({day:UInt32})`,
    parameters: { accountId, day, at: Date.now() - agoMs },
  });
}

async function checkedDays(): Promise<[number, number][]> {
  const rows = await store.select<{ accountId: number; day: number }>({
    name: 'test',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(slot) AS day FROM checked_day
      ORDER BY accountId, day`,
    parameters: {},
  });
  return rows.map(({ accountId, day }) => [accountId, (today / 1_000 - day) / 86_400]);
}

const clock = manualClock();
const upkeep = () =>
  createViewUpkeep({
    ...{ store, verdicts: noVerdictSource, clock },
    ...{ lookBackMs: 0, traces: noTraces },
  });

test('accounts with many plays are checked, others are not', async () => {
  await play(1, 3, leastPlaysToCheck - 1);
  await play(2, 3, leastPlaysToCheck - 1);
  await play(2, 4, 1);
  await upkeep().checkSome();
  expect(await checkedDays()).toEqual([
    [2, 4],
    [2, 3],
  ]);
});

test('days that go on, or were noted a moment ago, are not checked', async () => {
  await play(1, 3, leastPlaysToCheck, 9 * minuteMs);
  await play(1, 2, 1, 11 * minuteMs);
  await play(1, 0, 1);
  await upkeep().checkSome();
  expect(await checkedDays()).toEqual([[1, 2]]);
});

test('a day that was noted after its check is checked again', async () => {
  await play(1, 3, leastPlaysToCheck, 2 * dayMs);
  await upkeep().checkSome();
  await store.command({
    name: 'test',
    sql: 'TRUNCATE TABLE checked_day',
    parameters: {},
  });
  await store.command({
    name: 'test',
    sql: `INSERT INTO checked_day (accountId, slot, checkedAt)
      SELECT accountId, slot, arrival - toIntervalHour(1) FROM touched`,
    parameters: {},
  });
  await upkeep().checkSome();
  const [row] = await store.select<{ ms: number }>({
    name: 'test',
    sql: 'SELECT toUnixTimestamp64Milli(max(checkedAt)) AS ms FROM checked_day',
    parameters: {},
  });
  expect(row?.ms).toBeGreaterThan(Date.now() - dayMs);
});

test('while nothing is due it looks once a minute', async () => {
  const { checkSome } = upkeep();
  await checkSome();
  await play(1, 3, leastPlaysToCheck);
  clock.advance(minuteMs - 1);
  await checkSome();
  expect(await checkedDays()).toEqual([]);
  clock.advance(1);
  await checkSome();
  expect(await checkedDays()).toEqual([[1, 3]]);
});
