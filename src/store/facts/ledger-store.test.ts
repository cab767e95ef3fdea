/** What is written of outcomes, and read of a range; on every kind of store: test/contract. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { createLedgerStore } from './ledger-store.ts';

const made = useNewStore();
const row = {
  ...{ accountId: 1, day: '2025-12-31', outcome: 'COUNTED', run: randomUUID(), beacons: 3 },
};
const range = { accountId: 1, firstDay: '2025-12-31', lastDay: '2025-12-31' };

test('what was written of a day is read again, of one account and its days alone', async () => {
  const { write, read } = createLedgerStore(made().store, () => {});
  await write([row, { ...row, outcome: 'BOT' }, { ...row, accountId: 2 }]);
  await write([{ ...row, run: randomUUID(), beacons: 5 }]);
  const { day } = row;
  expect(await read(range)).toEqual([
    { day, outcome: 'BOT', beacons: 3 },
    { day, outcome: 'COUNTED', beacons: 8 },
  ]);
  expect(await read({ ...range, firstDay: '2026-01-01', lastDay: '2026-01-01' })).toEqual([]);
});

test('nothing is written or read while the store is not ready', async () => {
  const { write, read } = createLedgerStore(made().store, () => {
    throw new Error('not ready, as the test said');
  });
  await expect(write([row])).rejects.toThrow('not ready');
  await expect(read(range)).rejects.toThrow('not ready');
});
