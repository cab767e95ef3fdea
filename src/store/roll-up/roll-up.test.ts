import { pino } from 'pino';
import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { createFactMetrics } from '../journal/store-metrics.ts';
import { noVerdictSource } from '../sql/verdicts.ts';
import { type RollUp, startRollUp } from './roll-up.ts';

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
/** Rolls up only on demand, and whole days once at the start. */
const pace = { everyMs: 2 ** 30, daysEveryMs: 2 ** 30, lookBackMs: 10_000 };
const logger = pino({ level: 'silent' });
const metrics = createFactMetrics(new Registry());

let aheadMs = 0;
const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + aheadMs };

/** The names of the statements, but for those of the check of views, which runs beside it. */
const ran: string[] = [];

const made = useNewStore();
let rollUp: RollUp;
beforeEach(async () => {
  aheadMs = 0;
  rollUp = start();
  await rollUp.run();
  return async () => {
    await rollUp.stop();
    await made().run('TRUNCATE TABLE touched');
  };
});

function start(): RollUp {
  const { store: opened } = made();
  const store: typeof opened = {
    ...opened,
    select(query, options) {
      if (!/^find days to (check|count)$/.test(query.name)) ran.push(query.name);
      return opened.select(query, options);
    },
    async command(query, timeoutSeconds) {
      ran.push(query.name);
      await opened.command(query, timeoutSeconds);
    },
  };
  const journal = { storedThrough: Date.now, flush: async () => {} };
  return startRollUp({ store, journal, verdicts: noVerdictSource, clock, logger, metrics, pace });
}

/** A play of one second, stored so long ago by the engine's clock. */
async function storePlay(accountId: number, day: number, agoMs = 0): Promise<void> {
  const parameters = { accountId, slot: day / 1_000, agoMs };
  await made().run(
    `INSERT INTO stretch (accountId, slot, packageId, videoId,
        view, stretch, suspect, plays, playMs)
      SELECT {accountId:UInt32}, {slot:UInt32}, 1, 1,
      generateUUIDv4(), 0, '', 1, 1000`,
    parameters,
  );
  await made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT now64(3) - toIntervalMillisecond({agoMs:UInt32}), {accountId:UInt32}, {slot:UInt32}`,
    parameters,
  );
}

async function playsBy(grouping: string, accountId: number): Promise<number | undefined> {
  const [row] = await made().rows<{ plays: number }>(
    `SELECT toUInt64(sum(plays)) AS plays FROM playback_sum FINAL
      WHERE accountId = {accountId:UInt32} AND grouping = {grouping:String}`,
    { accountId, grouping },
  );
  return row?.plays;
}

/** Plays by the sums of slots. */
const playsOf = (accountId: number) => playsBy('account', accountId);

test('a run asks the store no more than it has to', async () => {
  await rollUp.run();
  ran.length = 0;
  await rollUp.run();
  expect(ran).toEqual(['look for touched slots']);
  await storePlay(8, today);
  ran.length = 0;
  await rollUp.run();
  expect(ran).toEqual([
    ...['look for touched slots', 'look for uneven views', 'sum slots', 'read touched days'],
    ...['save roll-up progress', 'find old notes of touched slots'],
  ]);
});

test('a note that becomes visible long after its stamp is summed', async () => {
  await rollUp.run();
  await storePlay(5, today, 9_000);
  await rollUp.run();
  expect(await playsOf(5)).toBe(1);
});

test("what is stored just after the engine's clock was set back is summed at once", async () => {
  const setBackMs = 60_000;
  await storePlay(3, today, setBackMs);
  await rollUp.run();
  expect(await playsOf(3)).toBe(0);
  // To the store's clock, the other way round: ours went on.
  aheadMs = setBackMs;
  await rollUp.run();
  expect(await playsOf(3)).toBe(1);
  expect(rollUp.unsettledDays(3)).toEqual([today]);
});
