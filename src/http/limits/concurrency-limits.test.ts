import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { Caller } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import {
  type ConcurrencyLimit,
  createConcurrencyLimit,
  createConcurrencyLimits,
} from './concurrency-limits.ts';
import { createEngineBudget } from './engine-budget.ts';

const callerOf = (accountId: number, keyId = 1) => ({ accountId, keyId }) as Caller;

let limited: string[];
let limitQuestions: ConcurrencyLimit;
/** Questions that are under way, and what answers them. */
let underWay: Map<string, () => void>;
beforeEach(() => {
  limited = [];
  underWay = new Map();
  const note = ({ accountId }: Pick<Caller, 'accountId'>, reason: string) =>
    limited.push(`${accountId} ${reason}`);
  limitQuestions = createConcurrencyLimit({
    noteLimited: note,
    kind: 'questions',
    limits: { atOnce: 2, waiting: 3 },
    clock: manualClock(),
  });
});

const ask = (name: string, caller = callerOf(1)) =>
  limitQuestions(caller, async () => {
    await new Promise<void>((answer) => underWay.set(name, answer));
    underWay.delete(name);
    return name;
  });

test('an account has some questions under way, and the others follow in order', async () => {
  // Whichever of its keys asks.
  const asked = ['a', 'b', 'c', 'd'].map((name, index) => ask(name, callerOf(1, index)));
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['a', 'b']);
  underWay.get('b')?.();
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['a', 'c']);
  underWay.get('a')?.();
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['c', 'd']);
  for (const answer of underWay.values()) answer();
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd']);
});

test('beyond those that may wait a question is refused, noted, and others are not affected', async () => {
  const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name));
  await expect(ask('f')).rejects.toMatchObject({
    ...{ code: 'RATE_LIMITED', retryAfterSeconds: 1, limit: 'questions' },
  });
  expect(limited).toEqual(['1 AT_ONCE']);
  const other = ask('of another', callerOf(2));
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['a', 'b', 'of another']);
  underWay.get('of another')?.();
  await other;
  while (underWay.size > 0) {
    for (const answer of underWay.values()) answer();
    await nextTurn();
  }
  expect(await Promise.all(asked)).toHaveLength(5);
});

test('a question that has waited for twenty seconds is refused, noted, and waits no more', async () => {
  const clock = manualClock();
  let waiting = 0;
  limitQuestions = createConcurrencyLimit({
    ...{ noteLimited: ({ accountId }, reason) => limited.push(`${accountId} ${reason}`), clock },
    ...{ kind: 'questions', limits: { atOnce: 1, waiting: 2 }, mostMs: 20_000 },
    noteWaiting: (more) => {
      waiting += more;
    },
  });
  const first = ask('a');
  const late = ask('b');
  clock.advance(15_000);
  const next = ask('c');
  clock.advance(5_000);
  await expect(late).rejects.toMatchObject({
    ...{ code: 'RATE_LIMITED', retryAfterSeconds: 5, limit: 'questions' },
    message: 'The question waited 20 s for others of the account: retry in 5 s',
  });
  expect({ limited, waiting }).toEqual({ limited: ['1 AT_ONCE'], waiting: 1 });
  underWay.get('a')?.();
  await nextTurn();
  expect(waiting).toBe(0);
  // It has begun, and may take its time.
  clock.advance(60_000);
  underWay.get('c')?.();
  expect(await Promise.all([first, next])).toEqual(['a', 'c']);
});

test('a question that fails makes room as well', async () => {
  const fail = () =>
    limitQuestions(callerOf(1), () => Promise.reject(new Error('the store is away')));
  for (let failed = 0; failed < 5; failed += 1) await expect(fail()).rejects.toThrow('away');
  const asked = ask('a');
  await nextTurn();
  underWay.get('a')?.();
  expect(await asked).toBe('a');
});

test('an account without engine time has one question under way, besides those that wait for it', async () => {
  const clock = manualClock();
  const metrics = new Registry();
  const engineBudget = createEngineBudget({ clock, metrics, secondsPerMinute: 30, processes: 1 });
  limitQuestions = createConcurrencyLimit({
    ...{ noteLimited: () => {}, kind: 'questions', limits: { atOnce: 2, waiting: 3 }, clock },
    spending: { engineBudget, asker: 'account' },
  });
  const spend = (name: string, isCostly: boolean) =>
    limitQuestions(callerOf(1), () =>
      engineBudget.meter({ isCostly }, async () => {
        await new Promise<void>((answer) => underWay.set(name, answer));
        underWay.delete(name);
      }),
    );
  const end = async (name: string) => {
    underWay.get(name)?.();
    await nextTurn();
  };
  const costly = spend('a', true);
  await nextTurn();
  clock.advance(65_000);
  await end('a');
  await costly;
  const waiting = spend('b', true);
  const cheap = ['c', 'd', 'e'].map((name) => spend(name, false));
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['c']);
  await end('c');
  expect([...underWay.keys()]).toEqual(['d']);
  clock.advance(10_000);
  await nextTurn();
  expect([...underWay.keys()]).toEqual(['d', 'b']);
  await end('d');
  await end('e');
  await end('b');
  await Promise.all([waiting, ...cheap]);
});

test('of imports an account has one under way and two waiting', async () => {
  const metrics = new Registry();
  const clock = manualClock();
  const engineBudget = createEngineBudget({ clock, metrics, secondsPerMinute: 1, processes: 1 });
  const settings = { clock, metrics, processes: 1, engineBudget };
  const { limitImports } = createConcurrencyLimits(() => {}, settings);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const bring = (accountId: number) =>
    limitImports(callerOf(accountId), async () => {
      begun.push(accountId);
      await new Promise<void>((end) => ends.push(end));
    });
  const brought = [1, 1, 1, 2].map(bring);
  await expect(bring(1)).rejects.toMatchObject({ code: 'RATE_LIMITED', limit: 'imports' });
  await nextTurn();
  // However long they take.
  clock.advance(60_000);
  expect(begun).toEqual([1, 2]);
  for (let ended = 0; ended < brought.length; ended += 1) {
    ends.shift()?.();
    await nextTurn();
  }
  await Promise.all(brought);
  expect(begun).toEqual([1, 2, 1, 1]);
});
