import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { type FactStore, openFactStore } from './fact-store.ts';
import { type RollUp, startRollUp } from './roll-up.ts';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
/** Only when told, and whole days once at the start. */
const pace = { everyMs: 2 ** 30, daysEveryMs: 2 ** 30, lookBackMs: 10_000, touchAgainMs: 0 };
const logger = pino({ level: 'silent' });

let store: FactStore;
let rollUp: RollUp;
beforeAll(async () => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  store = openFactStore({ ...inject('engineAccess'), database });
  await store.migrate();
});
afterAll(() => store.close());

beforeEach(async () => {
  rollUp = startRollUp({ store, storedThrough: Date.now, logger, pace });
  await rollUp.run();
  return async () => {
    await rollUp.stop();
    await store.command({ sql: 'TRUNCATE TABLE touched', parameters: {} });
  };
});

/** A play of one second, stored so long ago by the engine's clock. */
async function storePlay(accountId: number, day: number, agoMs = 0): Promise<void> {
  const parameters = { accountId, slot: day / 1_000, agoMs };
  await store.command({
    sql: `INSERT INTO stretch SELECT {accountId:UInt32}, {slot:UInt32}, 1, 1, 'Linux', 'Unknown',
      generateUUIDv4(), 0, 1, 1000`,
    parameters,
  });
  await store.command({
    sql: `INSERT INTO touched SELECT now64(3) - toIntervalMillisecond({agoMs:UInt32}),
      {accountId:UInt32}, {slot:UInt32}`,
    parameters,
  });
}

/** Plays by the sums of slots. */
async function playsOf(accountId: number): Promise<number | undefined> {
  const [row] = await store.select<{ plays: number }>({
    sql: `SELECT sum(plays) AS plays FROM playback FINAL
      WHERE accountId = {accountId:UInt32} AND grouping = 'account'`,
    parameters: { accountId },
  });
  return row?.plays;
}

test('few days that were touched are unsettled for all; of many, each account has its own', async () => {
  expect(await rollUp.unsettledDays(1)).toEqual([]);
  const days = [today - 2 * dayMs, today - dayMs, today];
  for (const day of days.toReversed()) await storePlay(1, day);
  await rollUp.run();
  expect(await rollUp.unsettledDays(1)).toEqual(days);
  expect(await rollUp.unsettledDays(2)).toEqual(days);
  await storePlay(2, today - 9 * dayMs);
  await rollUp.run();
  expect(await rollUp.unsettledDays(1)).toEqual(days);
  expect(await rollUp.unsettledDays(2)).toEqual([today - 9 * dayMs]);
});

test("what is stored just after the engine's clock was set back is summed at once", async () => {
  const setBackMs = 60_000;
  await storePlay(3, today, setBackMs);
  await rollUp.run();
  expect(await playsOf(3)).toBe(0);
  // To the engine's clock, the other way round: ours went on.
  const processNow = performance.now.bind(performance);
  const ahead = vi.spyOn(performance, 'now').mockImplementation(() => processNow() + setBackMs);
  await rollUp.run();
  ahead.mockRestore();
  expect(await playsOf(3)).toBe(1);
  expect(await rollUp.unsettledDays(3)).toEqual([today]);
});
