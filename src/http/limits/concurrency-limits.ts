/** Concurrency: how many questions and imports of an account are under way, and how many wait. */
import { Gauge, type Registry } from 'prom-client';
import type { Caller } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { NoteLimited } from './rate-limits.ts';

/** One account's questions must not take all that the store can do. */
const limitsOfQuestions = { atOnce: 8, waiting: 100 };
/** Of all shares of an account together. */
const limitsOfShares = { atOnce: 2, waiting: 100 };
/** The last that waits is answered before its connection has been silent for too long. */
const limitsOfImports = { atOnce: 1, waiting: 2 };

/**
 * Asks at once or, if the account has enough of its kind under way, when one of them has been
 * answered: in order. Throws RATE_LIMITED if too many of the account's wait.
 */
export type ConcurrencyLimit = <Answer>(
  caller: Pick<Caller, 'accountId'>,
  ask: () => Promise<Answer>,
) => Promise<Answer>;

interface Queue {
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * Of questions, by those who ask with a key or a session and by those who see a share; and of
 * imports.
 */
export function createConcurrencyLimits(
  noteLimited: NoteLimited,
  { metrics, processes }: ConcurrencyParts,
) {
  const waiting = new Gauge({
    name: 'playmeter_questions_waiting',
    help: 'Questions that wait for others of their account',
    registers: [metrics],
  });
  const noteWaiting = (more: number) => waiting.inc(more);
  const ofQuestions = { kind: 'questions', noteLimited, noteWaiting } as const;
  const limitsOf = (limits: typeof limitsOfQuestions) => ({ limits: divided(limits, processes) });
  return {
    limitQuestions: createConcurrencyLimit({ ...ofQuestions, ...limitsOf(limitsOfQuestions) }),
    limitShareQuestions: createConcurrencyLimit({ ...ofQuestions, ...limitsOf(limitsOfShares) }),
    limitImports: createConcurrencyLimit({
      ...{ kind: 'imports', noteLimited },
      ...limitsOf(limitsOfImports),
    }),
  };
}

interface ConcurrencyParts {
  readonly metrics: Registry;
  /** Of the node. */
  readonly processes: number;
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
  /** Called when that many more (or fewer) wait. */
  readonly noteWaiting?: (more: number) => void;
}

/** Each node for itself. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { noteLimited, kind, limits, noteWaiting = () => {} } = options;
  const queues = new Map<number, Queue>();

  const enter = async (queue: Queue, caller: Pick<Caller, 'accountId'>): Promise<void> => {
    if (queue.underWay < limits.atOnce) {
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
    await new Promise<void>((resolve) => queue.waiting.push(resolve));
  };
  const leave = (queue: Queue, accountId: number): void => {
    const next = queue.waiting.shift();
    if (next) {
      noteWaiting(-1);
      next();
      return;
    }
    queue.underWay -= 1;
    if (queue.underWay === 0) queues.delete(accountId);
  };

  return async (caller, ask) => {
    const { accountId } = caller;
    const queue = queues.get(accountId) ?? { underWay: 0, waiting: [] };
    queues.set(accountId, queue);
    await enter(queue, caller);
    try {
      return await ask();
    } finally {
      leave(queue, accountId);
    }
  };
}
