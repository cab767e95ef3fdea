import { Registry } from 'prom-client';
import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { createEngineBudget, type EngineBudget } from './engine-budget.ts';

let clock: ManualClock;
let metrics: Registry;
let budget: EngineBudget;
/** Statements that run, and what ends each. */
let running: Map<string, () => void>;
let noted: string[];
beforeEach(() => {
  clock = manualClock();
  metrics = new Registry();
  // Half a second comes in each second; a bucket holds a minute.
  budget = createEngineBudget({ clock, metrics, secondsPerMinute: 30, processes: 1 });
  running = new Map();
  noted = [];
});

interface Asked {
  readonly isCostly?: boolean;
  readonly kind?: 'account' | 'shares';
}

/** A question of one statement; the name of who asks is the first word of its name. */
function ask(question: string, { isCostly = true, kind = 'account' }: Asked = {}) {
  const [name = ''] = question.split(' ');
  const asker = {
    ...{ name, kind },
    stepAside: () => noted.push(`${question} waits`),
    noteRefused: () => noted.push(`${question} refused`),
  };
  const answered = budget.answerFor(asker, () =>
    budget.meter({ isCostly }, async () => {
      await new Promise<void>((end) => running.set(question, end));
      running.delete(question);
      return question;
    }),
  );
  // Looked at later.
  answered.catch(() => {});
  return answered;
}

async function end(question: string, afterMs = 0): Promise<void> {
  clock.advance(afterMs);
  running.get(question)?.();
  await nextTurn();
}

async function use(question: string, ms: number): Promise<void> {
  const answered = ask(question);
  await nextTurn();
  await end(question, ms);
  await answered;
}

const names = () => [...running.keys()];

test('costly statements of one account run one at a time, and cheap ones meanwhile', async () => {
  const asked = [ask('a 1'), ask('a 2'), ask('b 1'), ask('a 3', { isCostly: false })];
  await nextTurn();
  expect(names().toSorted()).toEqual(['a 1', 'a 3', 'b 1']);
  expect(noted).toEqual(['a 2 waits']);
  await end('a 1');
  expect(names().toSorted()).toEqual(['a 2', 'a 3', 'b 1']);
  for (const question of names()) await end(question);
  expect(await Promise.all(asked)).toEqual(['a 1', 'a 2', 'b 1', 'a 3']);
});

test('of all accounts four run, and the account whose turn was longest ago is next', async () => {
  for (const question of ['a 1', 'a 2', 'b 1', 'c 1', 'd 1', 'e 1', 'f 1']) ask(question);
  await nextTurn();
  expect(names()).toEqual(['a 1', 'b 1', 'c 1', 'd 1']);
  await end('a 1');
  await end('b 1');
  expect(names()).toEqual(['c 1', 'd 1', 'e 1', 'f 1']);
  await end('c 1');
  expect(names()).toEqual(['d 1', 'e 1', 'f 1', 'a 2']);
});

test('an idle account is answered whatever it costs, then waits until its debt is paid', async () => {
  await use('a 1', 65_000);
  expect(budget.isSpent('a')).toBe(true);
  const next = ask('a 2');
  const other = ask('b 1');
  await nextTurn();
  expect(names()).toEqual(['b 1']);
  // Five seconds of debt are paid by half of what passes.
  clock.advance(9_999);
  expect(names()).toEqual(['b 1']);
  clock.advance(1);
  await nextTurn();
  expect(names()).toEqual(['b 1', 'a 2']);
  expect(budget.isSpent('a')).toBe(false);
  await end('a 2');
  await end('b 1');
  expect(await Promise.all([next, other])).toEqual(['a 2', 'b 1']);
});

test('who would wait longer than twenty seconds is told at once when to come back', async () => {
  await use('a 1', 75_000);
  await expect(ask('a 2')).rejects.toMatchObject({
    ...{ code: 'RATE_LIMITED', limit: 'engine time', retryAfterSeconds: 30 },
    message:
      "An account may use 30 seconds of the engine's time a minute, for one costly question at a " +
      'time: retry in 30 s, or ask for fewer days',
  });
  expect(noted).toEqual(['a 2 refused']);
  // What is cheap is answered, and paid for.
  const cheap = ask('a 3', { isCostly: false });
  await end('a 3');
  expect(await cheap).toBe('a 3');
});

test('who has waited for twenty seconds is refused, as is whoever finds too many waiting', async () => {
  const asked = Array.from({ length: 22 }, (_, number) => ask(`a ${number}`, { kind: 'shares' }));
  await expect(asked.at(-1)).rejects.toMatchObject({
    ...{ code: 'RATE_LIMITED', retryAfterSeconds: 5 },
    message: expect.stringContaining("An account's shared links may use"),
  });
  clock.advance(20_000);
  await expect(asked[1]).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 });
  await end('a 0');
  expect(names()).toEqual([]);
  expect(await asked[0]).toBe('a 0');
  await use('a again', 0);
});

test('who waits for other accounts alone is told so', async () => {
  for (const question of ['a 1', 'b 1', 'c 1', 'd 1']) ask(question);
  const asked = ask('e 1');
  clock.advance(20_000);
  await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(noted).toEqual(['e 1 waits']);
});

test('what fails makes room, and is paid for where it was costly', async () => {
  const fail = (name: string, isCostly: boolean) =>
    budget.answerFor({ name, kind: 'account', noteRefused: () => {} }, () =>
      budget.meter({ isCostly }, async () => {
        clock.advance(70_000);
        throw new Error('the engine is away');
      }),
    );
  await expect(fail('a', false)).rejects.toThrow('away');
  await expect(fail('b', true)).rejects.toThrow('away');
  expect([budget.isSpent('a'), budget.isSpent('b')]).toEqual([false, true]);
  await use('a 1', 0);
});

test('a cheap statement that fails beside a costly one takes nothing off its time', async () => {
  const costly = ask('a 1');
  await nextTurn();
  const failed = budget.answerFor({ name: 'a', kind: 'account', noteRefused: () => {} }, () =>
    budget.meter({ isCostly: false }, async () => {
      clock.advance(65_000);
      throw new Error('the engine is away');
    }),
  );
  await expect(failed).rejects.toThrow('away');
  await end('a 1');
  await costly;
  expect(budget.isSpent('a')).toBe(true);
});

test('statements that run at once take their time once', async () => {
  const asked = ['a 1', 'a 2', 'a 3'].map((one) => ask(one, { isCostly: false }));
  await nextTurn();
  await end('a 1', 20_000);
  await end('a 2', 20_000);
  await end('a 3', 20_000);
  await Promise.all(asked);
  expect(budget.isSpent('a')).toBe(false);
  await use('a 4', 100_000);
  expect(budget.isSpent('a')).toBe(true);
});

test('seconds are counted by kind of asker, and those of nobody are free', async () => {
  await use('a 1', 1_500);
  const shared = ask('b 1', { kind: 'shares', isCostly: false });
  await end('b 1', 250);
  await shared;
  expect(await budget.meter({ isCostly: true }, async () => 'at once')).toBe('at once');
  expect(await metrics.getSingleMetricAsString('playmeter_engine_seconds_total')).toMatch(
    /\{asker="account"\} 1\.5\n.*\{asker="shares"\} 0\.25$/,
  );
});
