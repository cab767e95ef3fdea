/**
 * Concurrency: how many questions and imports of an account are under way, and how many wait. While
 * an account has spent its budget of the engine's time, its questions go one at a time.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Caller } from '../../catalog/catalog.ts';
import { createWaitingLine, type WaitingLine } from '../../lib/tasks/waiting-line.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Asker, type EngineBudget, leastRetrySeconds, mostWaitMs } from './engine-budget.ts';
import type { NoteLimited } from './rate-limits.ts';

/** One account's questions must not take all that the store can do. */
const limitsOfQuestions = { atOnce: 8, waiting: 100 };
/** Of all shares of an account together. */
const limitsOfShares = { atOnce: 2, waiting: 100 };
/** The last that waits is answered before its connection has been silent for too long. */
const limitsOfImports = { atOnce: 1, waiting: 2 };

/**
 * Asks at once or, if the account has enough of its kind under way, when one of them has been
 * answered: in order. Throws RATE_LIMITED if too many of the account's wait, or a question too
 * long.
 */
export type ConcurrencyLimit = <Answer>(
  caller: Pick<Caller, 'accountId'>,
  ask: () => Promise<Answer>,
) => Promise<Answer>;

interface Queue {
  underWay: number;
  readonly waiting: WaitingLine;
}

/**
 * Of questions, by those who ask with a key or a session and by those who see a share; and of
 * imports.
 */
export function createConcurrencyLimits(
  noteLimited: NoteLimited,
  { clock, metrics, processes, engineBudget }: ConcurrencyParts,
) {
  const waiting = new Gauge({
    name: 'playmeter_questions_waiting',
    help: 'Questions that wait for others of their account',
    registers: [metrics],
  });
  const noteWaiting = (more: number) => waiting.inc(more);
  const ofQuestions = {
    kind: 'questions',
    noteLimited,
    noteWaiting,
    clock,
    mostMs: mostWaitMs,
  } as const;
  const limitsOf = (limits: typeof limitsOfQuestions) => ({ limits: divided(limits, processes) });
  return {
    limitQuestions: createConcurrencyLimit({
      ...{ ...ofQuestions, ...limitsOf(limitsOfQuestions) },
      spending: { engineBudget, asker: 'account' },
    }),
    limitShareQuestions: createConcurrencyLimit({
      ...{ ...ofQuestions, ...limitsOf(limitsOfShares) },
      spending: { engineBudget, asker: 'shares' },
    }),
    limitImports: createConcurrencyLimit({
      ...{ kind: 'imports', noteLimited, clock },
      ...limitsOf(limitsOfImports),
    }),
  };
}

interface ConcurrencyParts {
  readonly clock: Pick<Clock, 'after'>;
  readonly metrics: Registry;
  /** Of the node. */
  readonly processes: number;
  readonly engineBudget: EngineBudget;
}

/** What each of so many processes lets in; together as many, or one each. */
function divided(limits: typeof limitsOfQuestions, processes: number): typeof limitsOfQuestions {
  const { atOnce, waiting } = limits;
  return { atOnce: Math.ceil(atOnce / processes), waiting: Math.ceil(waiting / processes) };
}

interface ConcurrencyLimitOptions {
  readonly noteLimited: NoteLimited;
  readonly kind: 'questions' | 'imports';
  readonly limits: typeof limitsOfQuestions;
  readonly clock: Pick<Clock, 'after'>;
  /** How long one waits for its turn, milliseconds; default: until it comes. */
  readonly mostMs?: number;
  /** Called when that many more (or fewer) wait. */
  readonly noteWaiting?: (more: number) => void;
  /** Whose budget of the engine's time questions are charged to; default: nobody's. */
  readonly spending?: { readonly engineBudget: EngineBudget; readonly asker: Asker['kind'] };
}

/** Each node for itself. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { noteLimited, kind, limits, spending, clock, noteWaiting = () => {} } = options;
  const { mostMs = Number.POSITIVE_INFINITY } = options;
  const queues = new Map<number, Queue>();
  const nameOf = (accountId: number) => `${spending?.asker} ${accountId}`;
  const hasRoom = ({ underWay }: Queue, accountId: number): boolean => {
    const isSpent = spending?.engineBudget.isSpent(nameOf(accountId)) ?? false;
    return underWay < (isSpent ? 1 : limits.atOnce);
  };

  const enter = async (queue: Queue, caller: Pick<Caller, 'accountId'>): Promise<void> => {
    if (hasRoom(queue, caller.accountId)) {
      queue.underWay += 1;
      return;
    }
    if (queue.waiting.length >= limits.waiting) {
      noteLimited(caller, 'AT_ONCE');
      const detail = `An account may have ${limits.waiting} ${kind} waiting`;
      throw new Fault('RATE_LIMITED', `${detail}: wait for their answers`, {
        retryAfterSeconds: 1,
        limit: kind,
      });
    }
    noteWaiting(1);
    const isItsTurn = await queue.waiting.wait(mostMs);
    noteWaiting(-1);
    if (isItsTurn) return;
    noteLimited(caller, 'AT_ONCE');
    const waited = `waited ${mostMs / 1_000} s for others of the account`;
    const detail = `The question ${waited}: retry in ${leastRetrySeconds} s`;
    const retryAfterSeconds = leastRetrySeconds;
    throw new Fault('RATE_LIMITED', detail, { retryAfterSeconds, limit: kind });
  };
  const leave = (queue: Queue, accountId: number): void => {
    queue.underWay -= 1;
    while (queue.waiting.length > 0 && hasRoom(queue, accountId)) {
      queue.underWay += 1;
      queue.waiting.letFirstGo();
    }
    if (queue.underWay === 0) queues.delete(accountId);
  };
  /** A question of a share keeps its place: those behind it may be the same, and then are one. */
  const askOf = <Answer>(
    { accountId }: Pick<Caller, 'accountId'>,
    stepAside: () => void,
    ask: () => Promise<Answer>,
  ): Promise<Answer> => {
    if (spending === undefined) return ask();
    const { engineBudget, asker } = spending;
    const name = nameOf(accountId);
    const noteRefused = () => noteLimited({ accountId }, 'ENGINE_TIME');
    const isOfShares = asker === 'shares';
    const ofAsker = { name, kind: asker, noteRefused, ...(!isOfShares && { stepAside }) };
    return engineBudget.answerFor(ofAsker, ask);
  };

  return async (caller, ask) => {
    const { accountId } = caller;
    const queue = queues.get(accountId) ?? { underWay: 0, waiting: createWaitingLine(clock) };
    queues.set(accountId, queue);
    await enter(queue, caller);
    let isInside = true;
    const leaveOnce = (): void => {
      if (isInside) leave(queue, accountId);
      isInside = false;
    };
    try {
      return await askOf(caller, leaveOnce, ask);
    } finally {
      leaveOnce();
    }
  };
}
