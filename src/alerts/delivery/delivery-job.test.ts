import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCatalogAlone } from '../../../test/support/catalog-alone.ts';
import { addAccount } from '../../../test/support/catalogs.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import type { Attempt, Catalog, ClaimedDelivery, NewRule } from '../../catalog/catalog.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { type DeliverParts, deliverDue } from './delivery-job.ts';

const delivered: Attempt = { isDelivered: true, isFinal: false, status: 204, error: undefined };

let clock: ManualClock;
let catalog: Catalog;
/** Of the account whose receiver never answers; what ends the attempts. */
let silent: number;
let ends: (() => void)[];
let reached: number[];
beforeEach(async () => {
  clock = manualClock();
  catalog = await openCatalogAlone(clock);
  silent = await newAccount();
  ends = [];
  reached = [];
});
afterEach(() => catalog.close());

const newAccount = () => addAccount(catalog);

async function addMessages(
  accountId: number,
  count: number,
  to: Pick<NewRule, 'url' | 'mailTo'> = { url: 'https://hooks.example.com/', mailTo: [] },
): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const rule = accepted(
      await catalog.rules.create({
        ...{ accountId, name: 'Quiet', terms: { kind: 'silence', minutes: 30, filters: null } },
        ...{ ...to, sealedSecret: Buffer.from('sealed') },
      }),
    );
    await catalog.rules.conclude(rule, {
      ...{ judgedThrough: new Date(clock.now() + 1), isFiring: true },
      message: { type: 'alert.firing', body: '{}' },
    });
  }
}

const parts = (): DeliverParts => ({
  catalog,
  clock,
  senders: {
    mail: undefined,
    async webhook({ accountId }) {
      reached.push(accountId);
      if (accountId === silent) await new Promise<void>((end) => ends.push(end));
      return delivered;
    },
  },
  logger: pino({ level: 'silent' }),
  attempted: () => {},
});

async function endAll(round: Promise<void>, messages: number): Promise<void> {
  for (let ended = 0; ended < messages; ended += 1) {
    await waitUntil('an attempt', () => ends.length > 0);
    ends.shift()?.();
  }
  await round;
}

test('a receiver that never answers keeps no message of another account', async () => {
  await addMessages(silent, 30);
  const other = await newAccount();
  await addMessages(other, 5);
  const round = deliverDue(parts());
  const ofOther = () => reached.filter((accountId) => accountId === other).length;
  await waitUntil('all messages of the other account', () => ofOther() === 5);
  expect(reached.filter((accountId) => accountId === silent)).toHaveLength(2);
  await endAll(round, 30);
  const states = (await catalog.deliveries.list(silent, {})).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['delivered']));
});

test('a mail server that never answers keeps no webhook waiting', async () => {
  const mailed: number[] = [];
  const mail = async ({ accountId }: ClaimedDelivery) => {
    mailed.push(accountId);
    await new Promise<void>((end) => ends.push(end));
    return delivered;
  };
  const accounts = await Promise.all(Array.from({ length: 10 }, newAccount));
  for (const accountId of accounts) {
    await addMessages(accountId, 2, { url: undefined, mailTo: ['a@example.com'] });
  }
  const { senders, ...others } = parts();
  const round = deliverDue({ ...others, senders: { ...senders, mail } });
  await waitUntil('the mails', () => mailed.length === 10);
  for (const accountId of accounts) await addMessages(accountId, 1);
  await waitUntil('the round waits', () => clock.waiting() > 0);
  clock.advance(5_000);
  await waitUntil('all webhooks', () => reached.length === 10);
  expect(mailed).toHaveLength(10);
  await endAll(round, 20);
});

test('what becomes due while attempts last has its place at the next look', async () => {
  await addMessages(silent, 3);
  const round = deliverDue(parts());
  await waitUntil('both attempts', () => reached.length === 2);
  const other = await newAccount();
  await addMessages(other, 1);
  await waitUntil('the round waits', () => clock.waiting() > 0);
  clock.advance(5_000);
  await waitUntil('the other message', () => reached.includes(other));
  expect(reached).toEqual([silent, silent, other]);
  await endAll(round, 3);
});

test('once it is to stop, it begins nothing more, and ends with what is under way', async () => {
  await addMessages(silent, 5);
  const stopping = new AbortController();
  const round = deliverDue(parts(), stopping.signal);
  await waitUntil('both attempts', () => reached.length === 2);
  stopping.abort();
  await endAll(round, 2);
  expect(reached).toHaveLength(2);
});

test('a fault ends the round after all that is under way', async () => {
  await addMessages(silent, 1);
  const other = await newAccount();
  await addMessages(other, 1);
  const { deliveries } = catalog;
  const failing: Catalog['deliveries'] = {
    ...deliveries,
    settle: (claimed, attempt) =>
      claimed.accountId === other
        ? Promise.reject(new Error('the catalog is away'))
        : deliveries.settle(claimed, attempt),
  };
  let isOver = false;
  const round = deliverDue({ ...parts(), catalog: { deliveries: failing } }).finally(() => {
    isOver = true;
  });
  const refused = expect(round).rejects.toThrow('the catalog is away');
  await waitUntil('both attempts', () => reached.length === 2);
  expect(isOver).toBe(false);
  await waitUntil('the silent attempt', () => ends.length > 0);
  ends.shift()?.();
  await refused;
});
