/**
 * Readers of a share who ask the same question within a moment get one answer. Each is as fresh as
 * one of its own would be by what is promised: whatever was acknowledged two seconds before a
 * reader asked is in it.
 */
import type { Clock } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Moment } from '../../query/run/moment.ts';

const freshMs = 2_000;
/** What is in an answer that has begun is known when it is there; until then this is safe to say. */
const begunLatelyMs = 1_000;
const mostAnswers = 100;
const mostRowsKept = 1_000;

interface Shared {
  /** By type that of whoever asks: the question says which. */
  readonly answer: Promise<unknown>;
  isFor(askedAtMs: number): boolean;
}

/**
 * `question` names all that decides the answer, the share among it. `ask` calls `begin` when it no
 * longer waits: until then it may be for everybody who asks.
 */
export type AnswerTogether = <Answer extends Moment>(
  question: string,
  ask: (begin: () => void) => Promise<Answer>,
  rowsOf: (answer: Answer) => number,
) => Promise<Answer>;

export function createSharedAnswers(clock: Pick<Clock, 'now'>): AnswerTogether {
  const answers = createLruCache<string, Shared>(mostAnswers);
  return <Answer extends Moment>(
    question: string,
    ask: (begin: () => void) => Promise<Answer>,
    rowsOf: (answer: Answer) => number,
  ): Promise<Answer> => {
    const known = answers.get(question);
    if (known?.isFor(clock.now())) return known.answer as Promise<Answer>;
    let untilMs = Number.POSITIVE_INFINITY;
    const answer = ask(() => {
      untilMs = clock.now() + begunLatelyMs;
    });
    const shared: Shared = { answer, isFor: (askedAtMs) => askedAtMs <= untilMs };
    const forget = (): void => {
      if (answers.peek(question) === shared) answers.delete(question);
    };
    answers.set(question, shared);
    answer.then((given) => {
      untilMs = given.completeThrough.getTime() + freshMs;
      if (rowsOf(given) > mostRowsKept) forget();
    }, forget);
    return answer;
  };
}
