import { Gauge, type Registry } from 'prom-client';
import type { Caller } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { NoteLimited } from './rate-limit.ts';

/** One account's questions must not take all that the store can do. */
const limitsOfQuestions = { atOnce: 8, inLine: 100 };
/** Of all shares of an account together. */
const limitsOfShares = { atOnce: 2, inLine: 100 };
/** The last in line is answered before its connection has been silent for too long. */
const limitsOfImports = { atOnce: 1, inLine: 2 };

/**
 * Asks at once or, if the account has enough of its kind under way, when one of them has been
 * answered: in order. Throws RATE_LIMITED if too many of the account's are in line.
 */
export type AskInLine = <Answer>(
  caller: Pick<Caller, 'accountId'>,
  ask: () => Promise<Answer>,
) => Promise<Answer>;

interface Line {
  underWay: number;
  readonly waiting: (() => void)[];
}

/**
 * The lines of questions, of those who ask with a key or a session and of those who see a share;
 * and the line of imports.
 */
export function createAccountQueues(
  noteLimited: NoteLimited,
  { metrics, processes }: AccountLineParts,
) {
  const waiting = new Gauge({
    name: 'playmeter_questions_waiting',
    help: 'Questions that wait for others of their account',
    registers: [metrics],
  });
  const noting = { noteLimited, noteWaiting: (more: number) => waiting.inc(more) };
  return {
    askInLine: createAccountQueue({
      ...{ ...noting, kind: 'questions' },
      limits: divided(limitsOfQuestions, processes),
    }),
    askInLineOfShares: createAccountQueue({
      ...{ ...noting, kind: 'questions' },
      limits: divided(limitsOfShares, processes),
    }),
    importInLine: createAccountQueue({
      ...{ noteLimited, kind: 'imports' },
      limits: divided(limitsOfImports, processes),
    }),
  };
}

interface AccountLineParts {
  readonly metrics: Registry;
  /** Of the node. */
  readonly processes: number;
}

/** What each of so many processes lets in; together as many, or one each. */
function divided(limits: typeof limitsOfQuestions, processes: number): typeof limitsOfQuestions {
  const { atOnce, inLine } = limits;
  return { atOnce: Math.ceil(atOnce / processes), inLine: Math.ceil(inLine / processes) };
}

interface LineOptions {
  readonly noteLimited: NoteLimited;
  readonly kind: 'questions' | 'imports';
  readonly limits: typeof limitsOfQuestions;
  /** Called when that many more (or fewer) wait. */
  readonly noteWaiting?: (more: number) => void;
}

/** Each node for itself. */
export function createAccountQueue(options: LineOptions): AskInLine {
  const { noteLimited, kind, limits, noteWaiting = () => {} } = options;
  const lines = new Map<number, Line>();

  const enter = async (line: Line, caller: Pick<Caller, 'accountId'>): Promise<void> => {
    if (line.underWay < limits.atOnce) {
      line.underWay += 1;
      return;
    }
    if (line.waiting.length >= limits.inLine) {
      noteLimited(caller, 'AT_ONCE');
      const detail = `An account may have ${limits.inLine} ${kind} waiting`;
      throw new Fault('RATE_LIMITED', `${detail}: wait for their answers`, {
        retryAfterSeconds: 1,
        limit: kind,
      });
    }
    noteWaiting(1);
    await new Promise<void>((resolve) => line.waiting.push(resolve));
  };
  const leave = (line: Line, accountId: number): void => {
    const next = line.waiting.shift();
    if (next) {
      noteWaiting(-1);
      next();
      return;
    }
    line.underWay -= 1;
    if (line.underWay === 0) lines.delete(accountId);
  };

  return async (caller, ask) => {
    const { accountId } = caller;
    const line = lines.get(accountId) ?? { underWay: 0, waiting: [] };
    lines.set(accountId, line);
    await enter(line, caller);
    try {
      return await ask();
    } finally {
      leave(line, accountId);
    }
  };
}
