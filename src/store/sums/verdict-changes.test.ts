/** When sums are made again by new verdicts and erasures. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import { createFollowVerdicts, type FollowVerdicts, isOutage } from './verdict-changes.ts';

const day = Date.UTC(2026, 9, 5);
const suspect = 'ADDRESS:2026-10-05:1';
const none: CurrentVerdicts = { accepted: [], epochs: new Map() };
const away = new Fault('UNAVAILABLE', 'The catalog is away, as the test said');
const broken = new Fault('INTERNAL', 'The catalog is broken, as the test said');

const made = useNewStore();
let accountId = 0;
let verdicts: CurrentVerdicts;
let failure: Fault | undefined;
let follow: FollowVerdicts;
const viewOf = randomUUID();

/** A usual play, erased by some of the tests, and one that is set apart; neither is summed yet. */
beforeEach(async () => {
  accountId += 1;
  const fact = {
    ...{ accountId, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ stretch: 0, plays: 1, playMs: 1_000 },
  };
  await made().write([
    { ...fact, view: viewOf, suspect: '' },
    { ...fact, view: randomUUID(), suspect },
  ]);
  verdicts = none;
  failure = undefined;
  const current = async () => {
    if (failure) throw failure;
    return verdicts;
  };
  follow = createFollowVerdicts(made().store, { current });
});

/** By the sums; undefined if there are none. */
async function plays(): Promise<number | undefined> {
  const [row] = await made().rows<{ plays: number }>(
    `SELECT toUInt64(max(plays)) AS plays FROM playback_sum
      WHERE accountId = {accountId:UInt32} AND grouping = 'account' HAVING count() > 0`,
    { accountId },
  );
  return row?.plays;
}

async function forgetSums(): Promise<void> {
  await made().run('ALTER TABLE playback_sum DELETE WHERE accountId = {accountId:UInt32}', {
    accountId,
  });
}

const accepting = (): CurrentVerdicts => ({ ...none, accepted: [{ accountId, suspect }] });

test('verdicts that hold from the start are followed only when they are asked for', async () => {
  verdicts = accepting();
  expect(await follow([])).toBe(verdicts);
  expect(await plays()).toBeUndefined();
  // Nothing was set apart under this one.
  await follow([{ accountId, suspect: 'VIDEO:2026-10-05:11' }]);
  expect(await plays()).toBeUndefined();
  await follow([{ accountId, suspect }]);
  expect(await plays()).toBe(2);
});

test('a suspect of more days than one statement takes is followed by two', async () => {
  const days = Array.from({ length: 33 }, (_, index) => day - index * 86_400_000);
  await made().write(
    days.slice(1).map((slotStart) => ({
      ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18', suspect },
      ...{ view: viewOf, stretch: 0, plays: 1, playMs: 1_000 },
    })),
  );
  const summed: unknown[] = [];
  const store: FactStore = {
    ...made().store,
    command(query, timeoutSeconds) {
      if (query.name === 'sum again') summed.push(query.parameters.days);
      return made().store.command(query, timeoutSeconds);
    },
  };
  const current = async () => accepting();
  await createFollowVerdicts(store, { current })([{ accountId, suspect }]);
  const ascending = days.toReversed().map((ms) => ms / 1_000);
  expect(summed).toEqual([ascending.slice(0, 31), ascending.slice(31)]);
});

test('each new verdict is followed once', async () => {
  expect(await follow([])).toBe(none);
  verdicts = accepting();
  expect(await follow([])).toBe(verdicts);
  expect(await plays()).toBe(2);
  await forgetSums();
  verdicts = { ...accepting() };
  await follow([]);
  expect(await plays()).toBeUndefined();
  verdicts = { ...none, epochs: new Map([[accountId, 1]]) };
  await follow([]);
  expect(await plays()).toBe(1);
});

const erasing = (...receipts: string[]): CurrentVerdicts => ({
  accepted: [],
  epochs: new Map([[accountId, 1]]),
  erasures: {
    open: receipts.map((receipt) => ({
      ...{ accountId, kind: 'views', views: [viewOf], viewer: '', packageId: 0, videoId: 0 },
      ...{ untilMs: 0, receipt, state: 'summing' },
    })),
    keptSince: new Map(),
    accounts: new Set([accountId]),
  },
});

test('each erasure that began since is followed once', async () => {
  await follow([]);
  await made().run(
    `INSERT INTO playback_sum (accountId, grouping, slot, plays)
      VALUES ({accountId:UInt32}, 'account', {slot:UInt32}, 1)`,
    { accountId, slot: day / 1_000 },
  );
  verdicts = erasing('one');
  await follow([]);
  expect(await plays()).toBe(0);
  await forgetSums();
  verdicts = erasing('one');
  await follow([]);
  expect(await plays()).toBeUndefined();
  verdicts = erasing('one', 'other');
  await follow([]);
  expect(await plays()).toBe(0);
});

test('an erasure that began before the start is left to who carries it out', async () => {
  verdicts = erasing('one');
  await follow([]);
  expect(await plays()).toBeUndefined();
});

test('while verdicts cannot be read the last ones hold, but not for who asks for some', async () => {
  failure = away;
  await expect(follow([])).rejects.toBe(away);
  failure = undefined;
  await follow([]);
  failure = away;
  expect(await follow([])).toBe(none);
  await expect(follow([{ accountId, suspect }])).rejects.toBe(away);
  failure = broken;
  await expect(follow([])).rejects.toBe(broken);
  expect([away, broken, new Error('UNAVAILABLE')].map(isOutage)).toEqual([true, false, false]);
});
