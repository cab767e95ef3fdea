import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { type AnswerTogether, createSharedAnswers } from './readers.ts';

let clock: ManualClock;
let answerTogether: AnswerTogether;
/** Questions that were asked, in order. */
let asked: { begin(): void; answer(rows?: number): void; fail(error: Error): void }[];
beforeEach(() => {
  clock = manualClock();
  answerTogether = createSharedAnswers(clock);
  asked = [];
});

/** Half a second may be missing in an answer. */
const lagMs = 500;

const ask = (question = 'one') =>
  answerTogether(
    question,
    (begin) =>
      new Promise<{ number: number; rows: number; asOf: Date; completeThrough: Date }>(
        (resolve, reject) => {
          const number = asked.length;
          let asOf = new Date(clock.now());
          asked.push({
            begin() {
              asOf = new Date(clock.now());
              begin();
            },
            answer: (rows = 1) => {
              const completeThrough = new Date(asOf.getTime() - lagMs);
              resolve({ number, rows, asOf, completeThrough });
            },
            fail: reject,
          });
        },
      ),
    ({ rows }) => rows,
  );

async function answered(number: number, rows?: number): Promise<void> {
  asked[number]?.begin();
  asked[number]?.answer(rows);
  await nextTurn();
}

test('whoever asks the same while it waits gets its answer, however long that takes', async () => {
  const first = ask();
  clock.advance(30_000);
  const second = ask();
  const other = ask('another');
  expect(asked).toHaveLength(2);
  await answered(0);
  await answered(1);
  expect(await second).toBe(await first);
  expect((await other).number).toBe(1);
});

test('an answer that has begun is for those who ask within a second', async () => {
  ask();
  asked[0]?.begin();
  clock.advance(1_000);
  ask();
  expect(asked).toHaveLength(1);
  clock.advance(1);
  ask();
  expect(asked).toHaveLength(2);
});

test('an answer is kept while it has all that was acknowledged two seconds before', async () => {
  const first = ask();
  await answered(0);
  clock.advance(2_000 - lagMs);
  expect(await ask()).toBe(await first);
  clock.advance(1);
  ask();
  expect(asked).toHaveLength(2);
});

test('neither a failure nor an answer of many rows is kept', async () => {
  const failing = ask();
  asked[0]?.fail(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  ask();
  expect(asked).toHaveLength(2);
  await answered(1, 1_001);
  ask();
  expect(asked).toHaveLength(3);
});

test('of a hundred questions answers are kept, the latest', async () => {
  for (let number = 0; number <= 100; number += 1) ask(`${number}`);
  ask('1');
  expect(asked).toHaveLength(101);
  ask('0');
  expect(asked).toHaveLength(102);
});
