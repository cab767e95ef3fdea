/** How far the sums of another process are, by what it saves in the store. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { dropDatabase } from '../../../test/support/drop-database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openFactStore } from '../client/store-client.ts';
import { openFacts } from '../open-facts.ts';
import { noVerdictSource } from '../sql/verdicts.ts';
import { createFollowedSums, doubtProgress, saveProgress } from './progress.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);
const lookBackMs = 12_000;
const skewMs = 5_000_000;

const made = useNewStore();
beforeEach(() => made().forgetRollUps());

async function touch(accountId: number, slot: number, arrivalMs: number): Promise<void> {
  await made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({arrivalMs:Int64}), {accountId:UInt32}, {slot:UInt32}`,
    { arrivalMs, accountId, slot: slot / 1_000 },
  );
}

test('nothing is promised before the first roll-up; then what is older than its progress', async () => {
  const clock = manualClock(9_000_000_000_000);
  const { store } = made();
  const options = { store, verdicts: noVerdictSource, clock, lookBackMs, skewMs };
  const followed = createFollowedSums({ ...options, reported: undefined });
  let reportedMs = 7;
  const reported = createFollowedSums({ ...options, reported: () => reportedMs++ });
  expect(followed.completeThrough()).toBe(0);
  expect(followed.unsettledDays(1)).toEqual([]);
  const daysThrough = Date.now() - 60_000;
  await touch(1, day + dayMs, daysThrough - lookBackMs);
  await touch(1, day + dayMs - 1_000, daysThrough);
  await touch(1, day - dayMs, daysThrough - lookBackMs - 1);
  await touch(2, day - 5 * dayMs, daysThrough + 50_000);
  await touch(1, day - 2 * dayMs, daysThrough + 50_000);
  await followed.look();
  clock.set(clock.now() - 5_000);
  expect(followed.completeThrough()).toBe(0);
  const before = [day - 2 * dayMs, day - dayMs, day, day + dayMs];
  expect(followed.unsettledDays(1)).toEqual(before);

  const through = Date.now() - 40_000;
  await saveProgress(store, { through, daysThrough });
  const startedAt = Date.now();
  await followed.look();
  const endedAt = Date.now();
  const promised = (storeNow: number) => clock.now() - (storeNow - through + skewMs);
  // The store's time is between the two, give or take how finely they are read.
  expect(followed.completeThrough()).toBeGreaterThanOrEqual(promised(endedAt + 5));
  expect(followed.completeThrough()).toBeLessThanOrEqual(promised(startedAt - 5));
  expect(followed.unsettledDays(1)).toEqual(before.filter((one) => one !== day - dayMs));
  expect(followed.unsettledDays(2)).toEqual([day - 5 * dayMs]);

  expect(reported.completeThrough()).toBe(0);
  await reported.look();
  expect(reported.completeThrough()).toBe(7);
  await reported.look();
  expect(reported.completeThrough()).toBe(8);
  clock.set(clock.now() + 5_000);
  expect(reported.completeThrough()).toBe(5_008);
});

test('nothing more is promised while the clock goes a second time, since it was set back', async () => {
  const clock = manualClock(9_000_000_000_000);
  const { store } = made();
  const options = { store, verdicts: noVerdictSource, clock, lookBackMs, skewMs: 0 };
  const follow = () => createFollowedSums({ ...options, reported: undefined });
  const [followed, begun] = [follow(), follow()];
  const through = Date.now() - 40_000;
  await saveProgress(store, { through, daysThrough: through });
  await touch(1, day, through - dayMs);
  await followed.look();
  const before = followed.completeThrough();
  expect(before).toBeGreaterThan(0);
  expect(followed.unsettledDays(1)).toEqual([]);

  await doubtProgress(store, through - 3_600_000);
  clock.advance(1_000);
  for (const one of [followed, begun]) await one.look();
  expect(followed.completeThrough()).toBe(before);
  expect(begun.completeThrough()).toBe(0);
  expect(followed.unsettledDays(1)).toEqual([day]);

  // Nor by what lies in the future, before whoever sums has seen it.
  const later = Date.now() + 3_600_000;
  await saveProgress(store, { through: later, daysThrough: later });
  for (const one of [followed, begun]) await one.look();
  expect(followed.completeThrough()).toBe(before);
  expect(begun.completeThrough()).toBe(0);
});

test('notes are not read again while no day is known to be settled, but for those since a step back', async () => {
  const clock = manualClock(9_000_000_000_000);
  const { store } = made();
  let isFailing = false;
  const shortMs = 500;
  const followed = createFollowedSums({
    ...{ verdicts: noVerdictSource, clock, lookBackMs: shortMs, skewMs: 0, reported: undefined },
    store: {
      ...store,
      async select(query, options) {
        if (isFailing && query.name === 'read touched days') throw new Error('as the test said');
        return store.select(query, options);
      },
    },
  });
  const minuteMs = 60_000;
  await touch(1, day + dayMs, Date.now() - minuteMs);
  await followed.look();
  expect(followed.unsettledDays(1)).toEqual([day + dayMs]);
  await touch(1, day + 3 * dayMs, Date.now() - 3 * minuteMs);
  await touch(1, day + 2 * dayMs, Date.now() - minuteMs);
  await touch(1, day, Date.now());
  await touch(2, day, Date.now());
  await followed.look();
  expect(followed.unsettledDays(1)).toEqual([day, day + dayMs]);
  expect(followed.unsettledDays(2)).toEqual([day]);

  clock.advance(2 * minuteMs);
  isFailing = true;
  await expect(followed.look()).rejects.toThrow('as the test said');
  isFailing = false;
  clock.advance(shortMs);
  await followed.look();
  expect(followed.unsettledDays(1)).toEqual([day, day + dayMs, day + 2 * dayMs]);

  await saveProgress(store, { through: Date.now(), daysThrough: Date.now() - minuteMs / 2 });
  await followed.look();
  expect(followed.unsettledDays(1)).toEqual([day]);
});

test('whoever follows is ready once it has accepted the clock, and the other one has summed', async () => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const access = { ...engineAccess(), database };
  const store = openFactStore(access);
  onTestFinished(async () => {
    await store.close();
    await dropDatabase({ ...access, urls: [access.url] }, database);
  });
  const open = async (other: Partial<Parameters<typeof openFacts>[0]>) => {
    const logger = pino({ level: 'silent' });
    const common = { access, clock: systemClock, logger, metrics: new Registry() };
    const facts = openFacts({ ...common, ...other });
    onTestFinished(() => facts.close());
    await facts.ready();
    return facts;
  };
  await open({ sharing: { isFollowed: true } });
  // By a clock that was set back since.
  const later = Date.now() + 3_600_000;
  await saveProgress(store, { through: later, daysThrough: later });
  const follower = await open({ sharing: { follows: true }, acceptsClock: true });
  expect(follower.completeThrough()).toBeGreaterThan(0);
});

test('while verdicts cannot be read nothing more is promised', async () => {
  const away = async () => {
    throw new Error('the catalog is away, as the test said');
  };
  const followed = createFollowedSums({
    ...{ store: made().store, verdicts: { current: away }, clock: manualClock() },
    ...{ lookBackMs, skewMs, reported: () => 7 },
  });
  await expect(followed.look()).rejects.toThrow('as the test said');
  expect(followed.completeThrough()).toBe(0);
});
