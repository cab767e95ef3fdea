/** With a real server: test/contract/catalog-outage.test.ts. */
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { watchServer } from './server-watch.ts';

const silent = new Error('it says nothing');

function watching() {
  const clock = manualClock(0);
  const questions: ((cause: Error | undefined) => void)[] = [];
  const unneeded: AbortSignal[] = [];
  const whySilent = (signal: AbortSignal) => {
    unneeded.push(signal);
    return new Promise<Error | undefined>((resolve) => void questions.push(resolve));
  };
  const watch = watchServer({ clock, whySilent });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ clock, watch, questions, unneeded },
    /** A statement that never ends by itself; `state` is what became of it. */
    begin(withinMs?: number) {
      const begun = { state: 'waits' };
      const giveUp = () => {
        begun.state += ', given up';
      };
      const bound = withinMs === undefined ? { giveUp } : { giveUp, withinMs };
      void watch.whileItAnswers(new Promise(() => {}), bound).catch((error: Error) => {
        begun.state += `, ${error.message}`;
      });
      return begun;
    },
    async pass(ms: number) {
      clock.advance(ms);
      await settle();
    },
    async say(cause: Error | undefined) {
      questions.shift()?.(cause);
      await settle();
    },
  };
}

test('what is answered soon asks nothing', async () => {
  const { watch, clock, questions } = watching();
  const giveUp = () => expect.fail('it was answered');
  expect(await watch.whileItAnswers(Promise.resolve(1), { giveUp })).toBe(1);
  await expect(watch.whileItAnswers(Promise.reject(silent), { giveUp })).rejects.toBe(silent);
  clock.advance(10_000);
  expect([questions.length, clock.waiting()]).toEqual([0, 0]);
});

test('what takes long is waited for while the server answers, which is asked once for all', async () => {
  const { begin, pass, say, questions } = watching();
  const [one, other] = [begin(), begin()];
  await pass(249);
  expect(questions).toHaveLength(0);
  await pass(1);
  expect(questions).toHaveLength(1);
  for (let round = 0; round < 50; round += 1) {
    await say(undefined);
    await pass(250);
    expect(questions).toHaveLength(1);
  }
  expect([one.state, other.state]).toEqual(['waits', 'waits']);
});

test('a server that says nothing: all are given up, and for a second nobody waits for it', async () => {
  const { watch, begin, pass, say, questions } = watching();
  const first = begin();
  await pass(250);
  const later = begin();
  await say(silent);
  const givenUp = 'waits, given up, it says nothing';
  expect([first.state, later.state]).toEqual([givenUp, givenUp]);
  await pass(999);
  // It is asked again, once, whoever wants to use it.
  expect([watch.whySilent(), watch.whySilent()]).toEqual([silent, silent]);
  expect(questions).toHaveLength(1);
  await say(undefined);
  expect(watch.whySilent()).toBeUndefined();
});

test('a server that answers others meanwhile is only too busy', async () => {
  const { watch, begin, pass, say, questions } = watching();
  const one = begin();
  await pass(250);
  watch.noteAnswer();
  await say(silent);
  expect([one.state, watch.whySilent()]).toEqual(['waits', undefined]);
  await pass(250);
  expect(questions).toHaveLength(1);
  await say(silent);
  expect(one.state).toBe('waits, given up, it says nothing');
});

test('when nobody waits any more it need not answer, and what it says counts for nothing', async () => {
  const { watch, pass, say, unneeded } = watching();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const waiting = watch.whileItAnswers(answered, { giveUp: () => expect.fail('it was answered') });
  await pass(250);
  expect(unneeded.map(({ aborted }) => aborted)).toEqual([false]);
  answer();
  await waiting;
  await pass(0);
  expect(unneeded.map(({ aborted }) => aborted)).toEqual([true]);
  await say(silent);
  expect(watch.whySilent()).toBeUndefined();
});

test('one that is asked no more is tried again after a second', async () => {
  const { watch, begin, pass, say } = watching();
  begin();
  await pass(250);
  await say(silent);
  await pass(1_000);
  expect(watch.whySilent()).toBeUndefined();
});

test('a bound holds, whatever the server says', async () => {
  const { begin, pass, say } = watching();
  const one = begin(500);
  await pass(250);
  await say(undefined);
  await pass(250);
  await say(undefined);
  expect(one.state).toBe('waits, given up, no answer within 500 ms');
});
