import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { FactStore } from '../client/store-client.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { readAcceptedSuspects } from './fact-reader.ts';

const slotMs = 900_000;
const day = Date.UTC(2025, 11, 31);
const [first, second, refused] = [1, 2, 3].map((number) => `VIDEO:2025-12-31:${number}`) as [
  string,
  string,
  string,
];

const made = useNewStore();

test('the accepted suspects of an account with facts in a range, its end left out', async () => {
  const fact = (accountId: number, suspect: string, slotStart: number) => ({
    ...{ accountId, suspect, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: randomUUID(), stretch: 0, plays: 1, playMs: 1_000 },
  });
  await made().write([
    fact(1, second, day),
    fact(1, first, day + slotMs),
    fact(1, refused, day),
    fact(1, '', day),
    fact(2, first, day),
  ]);
  const accepted = [second, first].map((suspect) => ({ accountId: 1, suspect }));
  accepted.push({ accountId: 3, suspect: first });
  const verdicts = { ...noVerdicts, accepted };
  let reads = 0;
  const store: FactStore = {
    ...made().store,
    select(query, options) {
      reads += 1;
      return made().store.select(query, options);
    },
  };
  const found = (accountId: number, fromMs: number, untilMs: number) =>
    readAcceptedSuspects(store, verdicts, { accountId, fromMs, untilMs });
  expect(await found(1, day, day + 2 * slotMs)).toEqual([first, second]);
  expect(await found(1, day, day + slotMs)).toEqual([second]);
  expect(await found(1, day + 1_000, day + 2 * slotMs)).toEqual([first]);
  expect(reads).toBe(3);
  // Nothing has to be read of an account of which none is accepted.
  expect(await found(2, day, day + 2 * slotMs)).toEqual([]);
  expect(reads).toBe(3);
});
