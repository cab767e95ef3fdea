/** Which days are checked and counted in the background, and when. */
import { beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createViewJob, readAudienceDays } from '../days/day-counts.ts';
import { readCheckedDays } from '../days/regular-views.ts';
import { noVerdictSource, noVerdicts } from '../sql/verdicts.ts';
import { leastPlaysToCheck } from '../sql/views.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** No test of these lasts so long. */
const mostMsOfTest = 20_000;
let today: number;

const made = useNewStore();
beforeEach(async () => {
  await waitUntil('the next day', () => dayMs - (Date.now() % dayMs) > mostMsOfTest);
  today = Math.floor(Date.now() / dayMs) * dayMs;
  for (const table of ['touched', 'playback_sum', 'checked_day', 'audience_day']) {
    await made().run(`TRUNCATE TABLE ${table}`);
  }
});

/** `daysAgo`: of the day that was played, and noted so long ago. */
async function play(accountId: number, daysAgo: number, plays: number, agoMs = dayMs) {
  const day = today / 1_000 - daysAgo * 86_400;
  await made().run(
    `INSERT INTO playback_sum (accountId, grouping, slot, plays)
      SELECT {accountId:UInt32}, 'account-day', toDateTime({day:UInt32}), {plays:UInt64}`,
    { accountId, day, plays },
  );
  await made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({at:Int64}), {accountId:UInt32}, toDateTime({day:UInt32})`,
    { accountId, day, at: Date.now() - agoMs },
  );
}

async function checkedDays(): Promise<[number, number][]> {
  const rows = await made().rows<{ accountId: number; day: number }>(
    `SELECT DISTINCT accountId, toUnixTimestamp(slot) AS day FROM checked_day
      ORDER BY accountId, day`,
  );
  return rows.map(({ accountId, day }) => [accountId, (today / 1_000 - day) / 86_400]);
}

const clock = manualClock();
const upkeep = (lookBackMs = 0, store = made().store, verdicts = noVerdictSource) =>
  createViewJob({ store, verdicts, clock, lookBackMs });

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
  await made().run('TRUNCATE TABLE checked_day');
  await made().run(`INSERT INTO checked_day (accountId, slot, checkedAt)
    SELECT accountId, slot, arrival - toIntervalHour(1) FROM touched`);
  await upkeep().checkSome();
  const [row] = await made().rows<{ ms: number }>(
    'SELECT toUnixTimestamp64Milli(max(checkedAt)) AS ms FROM checked_day',
  );
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

test('it rests three times as long as the work took; views are checked before days are counted', async () => {
  const jobNames = ['mark irregular views', 'count days'];
  const jobs: string[] = [];
  const tookMs = 10_000;
  const { store } = made();
  const { checkSome } = upkeep(0, {
    ...store,
    command(query, timeoutSeconds) {
      if (jobNames.includes(query.name)) {
        jobs.push(query.name);
        clock.advance(tookMs);
      }
      return store.command(query, timeoutSeconds);
    },
  });
  await play(1, 3, leastPlaysToCheck);
  await play(2, 3, leastPlaysToCheck);
  const all = jobNames.flatMap((name) => [name, name]);
  for (const [index] of all.entries()) {
    await checkSome();
    expect(jobs).toEqual(all.slice(0, index + 1));
    clock.advance(3 * tookMs - 1);
    await checkSome();
    expect(jobs).toEqual(all.slice(0, index + 1));
    clock.advance(1);
  }
  expect(await checkedDays()).toEqual([
    [1, 3],
    [2, 3],
  ]);
  await checkSome();
  expect(jobs).toEqual(all);
});

test('once an hour it looks for outdated counts, and days are counted also if that fails', async () => {
  const { store } = made();
  let looks = 0;
  const failing: typeof store = {
    ...store,
    async select(query, options) {
      if (query.name !== 'find outdated counts') return store.select(query, options);
      looks += 1;
      throw new Error('too slow, as the test said');
    },
  };
  const erasures = { open: [], keptSince: new Map(), accounts: new Set([1]) };
  const verdicts = { current: async () => ({ ...noVerdicts, erasures }) };
  const { checkSome } = upkeep(0, failing, verdicts);
  await play(1, 3, leastPlaysToCheck);
  await expect(checkSome()).rejects.toThrow('as the test said');
  clock.advance(minuteMs);
  // Views are checked, and then the day is counted.
  await checkSome();
  await checkSome();
  const range = { accountId: 1, fromMs: today - 9 * dayMs, untilMs: today };
  expect(await readAudienceDays(store, range, noVerdicts)).toMatchObject([
    { day: today - 3 * dayMs },
  ]);
  clock.advance(hourMs - 2 * minuteMs);
  await checkSome();
  expect(looks).toBe(1);
  clock.advance(minuteMs);
  await expect(checkSome()).rejects.toThrow('as the test said');
  expect(looks).toBe(2);
});

test('all days of all accounts that nothing has touched within the look-back', async () => {
  await play(1, 3, 1, 2 * hourMs);
  await play(2, 2, 1, 2 * hourMs);
  await play(2, 4, 1, hourMs / 2);
  await play(2, 0, 1, 2 * hourMs);
  const { checkAll } = upkeep(hourMs);
  await checkAll();
  expect(await checkedDays()).toEqual([
    [1, 3],
    [2, 2],
  ]);
  const rangeOf = (accountId: number) => ({ accountId, fromMs: today - 9 * dayMs, untilMs: today });
  const countedOf = async (accountId: number) => {
    const found = await readAudienceDays(made().store, rangeOf(accountId), noVerdicts);
    return found.map(({ day }) => (today - day) / dayMs);
  };
  expect(await countedOf(1)).toEqual([3]);
  expect(await countedOf(2)).toEqual([2]);
  // Facts with such a note may have come after the check had read them.
  await play(1, 3, 1, hourMs / 2);
  expect(await readCheckedDays(made().store, rangeOf(1))).toEqual([]);
});
