/**
 * The parent of workers: starts them, starts them again, stops them, and passes on what all must
 * know of each other. It answers no requests itself; Node's cluster module hands each new
 * connection to a worker that is not busy with taking one.
 */
import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import { createWindows } from '../../lib/limits/limiter.ts';
import type { TakenPoints, WantedPoints } from '../../lib/limits/shared-limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Channel, createChannel } from './channel.ts';
import type { Message, Metrics, NodeState, Question, WorkerState } from './messages.ts';

const tellEveryMs = 100;
/** Turns without a word from a worker: it hangs. */
const mostSilentTurns = 200;
/** The same until its first word, before which a busy machine lets it start. */
const mostTurnsOfStart = 600;
const firstBackOffMs = 200;
const longestBackOffMs = 10_000;
const stopWithinMs = 25_000;
const metricsWithinMs = 1_000;

/** What a process of Node's cluster module has. */
export interface WorkerProcess {
  readonly process: { readonly pid?: number | undefined; kill(signal: NodeJS.Signals): boolean };
  isConnected(): boolean;
  send(message: Message, done: (error: Error | null) => void): boolean;
  on(event: 'message', take: (message: Message) => void): unknown;
  on(event: 'exit', take: (code: number | null, signal: string | null) => void): unknown;
}

export interface SupervisorOptions {
  readonly count: number;
  /** Starts the process of a worker, numbered from 1. */
  fork(number: number, isFirstStart: boolean): WorkerProcess;
  readonly whyEngineNotReady: () => string | undefined;
  readonly onDamage: () => void;
  /** Adds metrics of this process to those of the workers. */
  readonly addMetrics: (metrics: Registry) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Supervisor {
  /** Rejects if a worker gives up before all have been ready; else resolves after `stop`. */
  readonly ended: Promise<void>;
  /** Lets all of them finish. */
  stop(): Promise<void>;
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface Worker {
  readonly number: number;
  running: { readonly process: WorkerProcess; readonly channel: Channel } | undefined;
  state: WorkerState;
  /** Since its start. */
  hasSpoken: boolean;
  /** Since its last word, or its start. */
  silentTurns: number;
  backOffMs: number;
}

const unheard: WorkerState = { storedThrough: 0, completeThrough: 0, isReady: false };

function newWorkers(count: number): readonly Worker[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    const nothing = { running: undefined, state: unheard, hasSpoken: false, silentTurns: 0 };
    return { number, ...nothing, backOffMs: firstBackOffMs };
  });
}

export function superviseWorkers(options: SupervisorOptions): Supervisor {
  const { count, clock, logger } = options;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  // Whoever stops it first does not ask how it ended.
  ended.catch(() => {});
  const stopping = new AbortController();
  const workers = newWorkers(count);
  let haveAllBeenReady = false;
  const metrics = createSummedMetrics();
  const own = createOwnMetrics(() => workers.filter(({ state }) => state.isReady).length);
  options.addMetrics(own.registry);
  const answer = answering(workers, metrics, own.registry, createSharedPoints(clock));

  const start = (worker: Worker, isFirstStart: boolean): void => {
    const process = options.fork(worker.number, isFirstStart);
    const receive = receivingFrom(worker, options.onDamage);
    const channel = createChannel({ send: sendingTo(process), clock, answer, receive });
    process.on('message', channel.take);
    process.on('exit', (code, signal) => void startAgain(worker, { code, signal }));
    worker.running = { process, channel };
    worker.silentTurns = 0;
    const { pid: processId } = process.process;
    logger.info({ worker: worker.number, processId }, 'worker started');
  };

  const startAgain = async (worker: Worker, { code, signal }: Exit): Promise<void> => {
    const { number, backOffMs } = worker;
    const how = signal ?? `exit code ${code}`;
    worker.running = undefined;
    worker.hasSpoken = false;
    worker.state = { ...worker.state, isReady: false };
    await metrics.end(number);
    if (stopping.signal.aborted) return;
    // By itself: it cannot use a store, or the port, and has said why.
    if (!haveAllBeenReady && signal === null) {
      reject(new Fault('UNAVAILABLE', `Worker ${number} ended while starting (${how})`));
      return;
    }
    own.restarts.inc();
    logger.error({ worker: number, how, backOffMs }, 'a worker ended, starting it again');
    worker.backOffMs = Math.min(2 * backOffMs, longestBackOffMs);
    await sleep(clock, backOffMs, stopping.signal);
    if (!stopping.signal.aborted) start(worker, false);
  };

  const turn = (): void => {
    if (stopping.signal.aborted) return;
    const [first] = workers;
    // The first one alone brings the stores up to date; the others find them so.
    if (first && first.state.storedThrough > 0) {
      for (const one of workers) if (isNew(one)) start(one, true);
    }
    haveAllBeenReady ||= workers.every(({ state }) => state.isReady);
    tellAll(workers, describeNode(workers, options.whyEngineNotReady()));
    for (const worker of workers) endIfSilent(worker, logger);
    clock.after(tellEveryMs, turn);
  };
  for (const worker of workers.slice(0, 1)) start(worker, true);
  turn();

  return {
    ended,
    async stop() {
      stopping.abort();
      await stopAll(workers, clock);
      resolve();
    },
  };
}

function tellAll(workers: readonly Worker[], state: NodeState): void {
  for (const { running } of workers) running?.channel.send({ kind: 'node', state });
}

function isNew({ running, state }: Worker): boolean {
  return running === undefined && state === unheard;
}

/**
 * TRICKY: one that died a moment ago still passes for connected. If nobody takes the error of
 * writing to it, that error ends this process. Its exit is another event, and starts the next one.
 */
function sendingTo(process: WorkerProcess) {
  return (message: Message): void => {
    if (process.isConnected()) process.send(message, () => {});
  };
}

function receivingFrom(worker: Worker, onDamage: () => void) {
  return (message: Message): void => {
    if (message.kind === 'damage') onDamage();
    if (message.kind !== 'worker') return;
    const { state } = message;
    worker.hasSpoken = true;
    worker.silentTurns = 0;
    // What was in the store before it ended still is: 0 only says that it starts.
    const { storedThrough } = state.storedThrough > 0 ? state : worker.state;
    worker.state = { ...state, storedThrough };
    if (state.storedThrough > 0) worker.backOffMs = firstBackOffMs;
  };
}

function answering(
  workers: readonly Worker[],
  metrics: SummedMetrics,
  own: Registry,
  takePoints: ReturnType<typeof createSharedPoints>,
) {
  return async (question: Question): Promise<unknown> => {
    if (question.what === 'points') return takePoints(question);
    // One that has not spoken yet is starting, and has counted nothing.
    const speaking = workers.filter(({ hasSpoken }) => hasSpoken);
    await Promise.all(
      speaking.map(async ({ number, running }) => {
        const asked = running?.channel.ask<Metrics>({ what: 'metrics' }, metricsWithinMs);
        // Of one that hangs those of the last time count.
        const now = await asked?.catch(() => undefined);
        if (now) metrics.note(number, now);
      }),
    );
    return metrics.text(own);
  };
}

function createOwnMetrics(running: () => number) {
  const registry = new Registry();
  addGauge(registry, 'playmeter_workers', 'Processes of this node that answer', running);
  const restarts = new Counter({
    name: 'playmeter_worker_restarts_total',
    help: 'Workers that ended and were started again',
    registers: [registry],
  });
  return { registry, restarts };
}

function describeNode(workers: readonly Worker[], engineNotReady: string | undefined) {
  const states = workers.map(({ state }) => state);
  return {
    storedThrough: Math.min(...states.map(({ storedThrough }) => storedThrough)),
    completeThrough: Math.max(...states.map(({ completeThrough }) => completeThrough)),
    engineNotReady,
  };
}

/**
 * In turns and not by the clock: while this process itself was stopped, nobody was silent. A first
 * start has no bound: it may have to bring large tables up to date.
 */
function endIfSilent(worker: Worker, logger: Logger): void {
  const { running, number, state } = worker;
  if (running === undefined || state.storedThrough === 0) return;
  worker.silentTurns += 1;
  if (worker.silentTurns < (worker.hasSpoken ? mostSilentTurns : mostTurnsOfStart)) return;
  logger.error({ worker: number }, 'a worker does not answer: ending it');
  worker.silentTurns = 0;
  running.process.process.kill('SIGKILL');
}

async function stopAll(workers: readonly Worker[], clock: Clock): Promise<void> {
  const waiting = new AbortController();
  const exits = workers.flatMap(({ running }) => {
    if (!running) return [];
    running.process.process.kill('SIGTERM');
    return [new Promise<void>((resolve) => running.process.on('exit', () => resolve()))];
  });
  const tooLong = sleep(clock, stopWithinMs, waiting.signal).then(() => {
    for (const { running } of workers) running?.process.process.kill('SIGKILL');
  });
  await Promise.all(exits);
  waiting.abort();
  await tooLong;
}

export interface SummedMetrics {
  /** Those of a worker as they are now. */
  note(worker: number, metrics: Metrics): void;
  /** What an ended worker counted up to the last note stays; its gauges go. */
  end(worker: number): Promise<void>;
  /** As text for Prometheus, with those of the parent. */
  text(own: Registry): Promise<string>;
}

/** Adds up the metrics of workers, those that have ended included: a counter must never sink. */
export function createSummedMetrics(): SummedMetrics {
  const running = new Map<number, Metrics>();
  let ended: Metrics = [];
  return {
    note(worker, metrics) {
      running.set(worker, metrics);
    },
    async end(worker) {
      const counted = running.get(worker)?.filter(isCounted) ?? [];
      running.delete(worker);
      const all = AggregatorRegistry.aggregate([ended, counted]);
      ended = (await all.getMetricsAsJSON()) as Metrics;
    },
    async text(own) {
      const all = [...running.values(), ended, (await own.getMetricsAsJSON()) as Metrics];
      return AggregatorRegistry.aggregate(all).metrics();
    },
  };
}

/** The library names types in texts, whatever its types say. */
function isCounted({ type }: Metrics[number]): boolean {
  return ['counter', 'histogram'].includes(String(type));
}

/** The parent's side of limits: counts what all workers take, in windows of a minute. */
function createSharedPoints(
  clock: Pick<Clock, 'monotonic'>,
): (wanted: WantedPoints) => TakenPoints {
  const windows = createWindows(clock, () => ({ taken: 0 }));
  return ({ limit, pool, subject, points }) => {
    const { state, msBeforeNext } = windows.of(`${limit} ${subject}`);
    const granted = Math.max(0, Math.min(points, pool - state.taken));
    state.taken += granted;
    return { granted, taken: state.taken, msBeforeNext };
  };
}
