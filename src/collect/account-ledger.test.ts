import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { type FaultyWriter, faultyWriter } from '../../test/support/faulty-writer.ts';
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import type { LedgerRow } from '../store/facts.ts';
import { type AccountLedger, type Outcome, startAccountLedger } from './account-ledger.ts';

const dayMs = 86_400_000;
const logger = pino({ level: 'silent' });
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

let clock: ManualClock;
let store: FaultyWriter<LedgerRow>;
let ledger: AccountLedger;
beforeEach(() => {
  clock = manualClock();
  store = faultyWriter<LedgerRow>();
  ledger = startAccountLedger({ store, clock, logger });
});

const outcomes = (accountId: number | undefined, code: Outcome['code'], count: number): Outcome[] =>
  Array.from({ length: count }, () => ({ accountId, code }));
const written = () => store.written.map((rows) => rows.map(({ run: _, ...row }) => row));
const row = (accountId: number, outcome: string, beacons: number, day = '2026-11-20') => ({
  ...{ accountId, outcome, beacons, day },
});
const runs = () => new Set(store.written.flat().map(({ run }) => run));

test('counts are written once a second, if there are new ones', async () => {
  ledger.note(outcomes(1, 'COUNTED', 2));
  clock.advance(999);
  expect(store.attempts()).toBe(0);
  clock.advance(1);
  await expect.poll(written).toEqual([[row(1, 'COUNTED', 2)]]);
  clock.advance(5_000);
  await ledger.write();
  expect(store.attempts()).toBe(1);
  ledger.note(outcomes(1, 'COUNTED', 3));
  clock.advance(1_000);
  await expect.poll(written).toEqual([[row(1, 'COUNTED', 2)], [row(1, 'COUNTED', 5)]]);
  expect([...runs()]).toEqual([expect.stringMatching(uuid)]);
});

test('accounts and outcomes are counted apart, in whatever order they come', async () => {
  ledger.note([
    ...outcomes(1, 'COUNTED', 3),
    ...outcomes(2, 'COUNTED', 1),
    ...outcomes(1, 'COUNTED', 2),
    ...outcomes(1, 'BOT', 1),
    ...outcomes(undefined, 'INVALID_BEACON', 4),
    ...outcomes(2, 'BOT', 2),
  ]);
  await ledger.write();
  expect(written()).toEqual([
    [row(1, 'COUNTED', 5), row(2, 'COUNTED', 1), row(1, 'BOT', 1), row(2, 'BOT', 2)],
  ]);
  expect(runs().size).toBe(4);
});

test('what belongs to nobody is not written', async () => {
  ledger.note(outcomes(undefined, 'UNKNOWN_VIDEO', 3));
  ledger.note([]);
  await ledger.write();
  expect(store.attempts()).toBe(0);
});

test('what could not be written is written later, with what came since', async () => {
  store.failNext(1);
  ledger.note(outcomes(1, 'COUNTED', 1));
  await expect(ledger.write()).rejects.toThrow();
  ledger.note(outcomes(1, 'COUNTED', 1));
  ledger.note(outcomes(2, 'COUNTED', 1));
  clock.advance(1_000);
  await expect.poll(written).toEqual([[row(1, 'COUNTED', 2), row(2, 'COUNTED', 1)]]);
});

test('a failed write in the background does not end the writing', async () => {
  store.failNext(2);
  ledger.note(outcomes(1, 'COUNTED', 1));
  for (const attempts of [1, 2, 3]) {
    clock.advance(1_000);
    await expect.poll(store.attempts).toBe(attempts);
  }
  expect(written()).toEqual([[row(1, 'COUNTED', 1)]]);
});

test('one write ends before the next begins', async () => {
  store.hold();
  ledger.note(outcomes(1, 'COUNTED', 1));
  const first = ledger.write();
  await expect.poll(store.attempts).toBe(1);
  ledger.note(outcomes(1, 'COUNTED', 1));
  const second = ledger.write();
  expect(store.attempts()).toBe(1);
  store.release();
  await Promise.all([first, second]);
  expect(written()).toEqual([[row(1, 'COUNTED', 1)], [row(1, 'COUNTED', 2)]]);
});

test('each day is counted for itself; one that comes back, as another run', async () => {
  clock.set(Date.UTC(2026, 10, 20, 23, 59, 59, 999));
  ledger.note(outcomes(1, 'COUNTED', 1));
  clock.set(Date.UTC(2026, 10, 21));
  ledger.note(outcomes(1, 'COUNTED', 2));
  await ledger.write();
  clock.set(Date.UTC(2026, 10, 20, 23));
  ledger.note(outcomes(1, 'COUNTED', 4));
  await ledger.write();
  expect(written()).toEqual([
    [row(1, 'COUNTED', 1), row(1, 'COUNTED', 2, '2026-11-21')],
    [row(1, 'COUNTED', 4)],
  ]);
  expect(runs().size).toBe(3);
});

test('a day that was not written is kept until it is', async () => {
  ledger.note(outcomes(1, 'COUNTED', 1));
  clock.set(clock.now() + dayMs);
  ledger.note(outcomes(1, 'COUNTED', 2));
  store.failNext(1);
  await expect(ledger.write()).rejects.toThrow();
  await ledger.write();
  expect(written()).toEqual([[row(1, 'COUNTED', 1), row(1, 'COUNTED', 2, '2026-11-21')]]);
});

test('stopping writes what is left, and leaves nothing that waits', async () => {
  ledger.note(outcomes(1, 'COUNTED', 1));
  await ledger.stop();
  expect(written()).toEqual([[row(1, 'COUNTED', 1)]]);
  expect(clock.waiting()).toBe(0);
});

test('a store that is away does not keep it from stopping', async () => {
  store.failNext(1);
  ledger.note(outcomes(1, 'COUNTED', 1));
  await expect(ledger.stop()).resolves.toBeUndefined();
  expect(written()).toEqual([]);
});
