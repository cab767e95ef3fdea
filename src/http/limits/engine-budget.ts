/**
 * The engine's time, by account: a bucket of seconds, from which the time goes in which any of its
 * statements runs. Costly statements of one account run one at a time, and those of all accounts in
 * turn; while its bucket is empty they wait for it, or are refused. Each process for itself. Why
 * and how much: docs/decisions/engine-budget.md.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter, type Registry } from 'prom-client';
import {
  createBucketPace,
  debtMs,
  fullBucket,
  type TokenBucket,
} from '../../lib/limits/token-bucket.ts';
import { createWaitingLine, type WaitingLine } from '../../lib/tasks/waiting-line.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { MeterStatement } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';

/** The bucket holds as much as comes in this time. */
const fillMs = 120_000;
/** Of all accounts, so that their statements fit into the engine's memory. */
const costlyAtOnce = 4;
/** As long as a statement may run, so that proxies wait for the answer. */
export const mostWaitMs = 20_000;
const mostWaiting = 20;
export const leastRetrySeconds = 5;
const rememberedAskers = 10_000;

/** An account, or all its shares together: their readers do not keep its owner waiting. */
export interface Asker {
  /** The same for all that have one budget. */
  readonly name: string;
  readonly kind: 'account' | 'shares';
  /** Called before a statement waits for its turn. */
  readonly stepAside?: () => void;
  readonly noteRefused: () => void;
}

export interface EngineBudget {
  /** Answers for an asker: all statements that this runs are charged to it. */
  answerFor<Answer>(asker: Asker, answer: () => Promise<Answer>): Promise<Answer>;
  /** Whether the asker's bucket is empty. */
  isSpent(name: string): boolean;
  /** Runs statements that nobody asked for at once, and charges nobody. */
  readonly meter: MeterStatement;
}

interface BudgetOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly metrics: Registry;
  readonly secondsPerMinute: number;
  /** Of the node. */
  readonly processes: number;
}

/** Costly statements of one asker. */
interface Line {
  isRunning: boolean;
  readonly waiting: WaitingLine;
  /** Looks again when the bucket is out of debt. */
  cancelLook: (() => void) | undefined;
}

/** Statements of one asker that run now. */
interface Running {
  count: number;
  /** Until then all is charged. */
  chargedUntilMs: number;
}

export function createEngineBudget(options: BudgetOptions): EngineBudget {
  const { clock, metrics, secondsPerMinute, processes } = options;
  const pace = createBucketPace({ tokensPerMs: secondsPerMinute / 60 / processes, fillMs });
  const buckets = createLruCache<string, TokenBucket>(rememberedAskers);
  /** In the order of their last turns. */
  const lines = new Map<string, Line>();
  const runningOf = new Map<string, Running>();
  const asking = new AsyncLocalStorage<Asker>();
  const used = new Counter({
    name: 'playmeter_engine_seconds_total',
    help: "Seconds of the engine's time that questions took, of accounts and of their shares",
    labelNames: ['asker'],
    registers: [metrics],
  });
  let costlyNow = 0;

  const debtOf = (name: string): number =>
    debtMs(buckets.get(name) ?? fullBucket(), fillMs, clock.monotonic());

  const begin = ({ name }: Asker): Running => {
    const running = runningOf.get(name) ?? { count: 0, chargedUntilMs: clock.monotonic() };
    runningOf.set(name, running);
    running.count += 1;
    return running;
  };

  const end = ({ name, kind }: Asker, running: Running, isToCharge: boolean): void => {
    running.count -= 1;
    if (running.count === 0) runningOf.delete(name);
    if (!isToCharge) return;
    const nowMs = clock.monotonic();
    const ms = nowMs - running.chargedUntilMs;
    running.chargedUntilMs = nowMs;
    const bucket = buckets.get(name) ?? fullBucket();
    buckets.set(name, bucket);
    // Tokens are milliseconds.
    pace.take(bucket, ms, nowMs);
    used.inc({ asker: kind }, ms / 1_000);
  };

  const letGo = (): void => {
    for (const [name, line] of [...lines]) {
      if (costlyNow >= costlyAtOnce) return;
      if (line.isRunning || line.waiting.length === 0) continue;
      const inDebtMs = debtOf(name);
      if (inDebtMs > 0) {
        line.cancelLook ??= clock.after(inDebtMs, () => {
          line.cancelLook = undefined;
          letGo();
        });
        continue;
      }
      costlyNow += 1;
      line.isRunning = true;
      line.waiting.letFirstGo();
    }
  };

  const leave = (name: string, line: Line): void => {
    costlyNow -= 1;
    line.isRunning = false;
    lines.delete(name);
    if (line.waiting.length > 0) lines.set(name, line);
    letGo();
  };

  const refusal = ({ name, kind, noteRefused }: Asker, line: Line): Fault => {
    const inDebtMs = debtOf(name);
    if (inDebtMs === 0 && !line.isRunning) {
      const detail = 'The statistics store is busy with the questions of other accounts';
      return new Fault('UNAVAILABLE', detail, { retryAfterSeconds: leastRetrySeconds });
    }
    noteRefused();
    const retryAfterSeconds = Math.max(leastRetrySeconds, Math.ceil(inDebtMs / 1_000));
    const whose = kind === 'account' ? 'An account' : "An account's shared links";
    const detail =
      `${whose} may use ${secondsPerMinute} seconds of the engine's time a minute, for one costly ` +
      `question at a time: retry in ${retryAfterSeconds} s, or ask for fewer days`;
    return new Fault('RATE_LIMITED', detail, { retryAfterSeconds, limit: 'engine time' });
  };

  const takeTurn = async (asker: Asker): Promise<Line> => {
    const { name, stepAside } = asker;
    const waiting = createWaitingLine(clock);
    const line = lines.get(name) ?? { isRunning: false, waiting, cancelLook: undefined };
    if (line.waiting.length >= mostWaiting || debtOf(name) > mostWaitMs) throw refusal(asker, line);
    lines.set(name, line);
    const isItsTurn = line.waiting.wait(mostWaitMs);
    letGo();
    // It is the last, so that any that waits is it.
    if (line.waiting.length > 0) stepAside?.();
    if (await isItsTurn) return line;
    if (line.waiting.length === 0 && !line.isRunning) {
      line.cancelLook?.();
      lines.delete(name);
    }
    throw refusal(asker, line);
  };

  return {
    answerFor: (asker, answer) => asking.run(asker, answer),
    isSpent: (name) => debtOf(name) > 0,
    async meter({ isCostly = false }, run) {
      const asker = asking.getStore();
      if (asker === undefined) return run();
      const line = isCostly ? await takeTurn(asker) : undefined;
      const running = begin(asker);
      let isToCharge = isCostly;
      try {
        const answer = await run();
        isToCharge = true;
        return answer;
      } finally {
        // A cheap statement that fails waited for an engine that was away.
        end(asker, running, isToCharge);
        if (line) leave(asker.name, line);
      }
    },
  };
}
