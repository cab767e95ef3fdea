/** A worker's end of the channel to its parent. */
import type { Registry } from 'prom-client';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import { createSharedLimiter, type TakenPoints } from '../../lib/limits/shared-limiter.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createChannel } from './channel.ts';
import type { Message, NodeState, WorkerState } from './messages.ts';

const tellEveryMs = 100;
/** Of a limit, what all workers together may pass without asking; and hold without using it. */
const freePart = 1 / 20;

/** Tells a process which worker it is: its number, and whether it is the first with it. */
export const workerVariable = 'PLAYMETER_WORKER';

export interface WorkerLink {
  /** From 1. */
  readonly number: number;
  /** How many there are. */
  readonly count: number;
  /** False if it takes the place of one that ended. */
  readonly isFirstStart: boolean;
  /** What the parent sent last. */
  state(): NodeState;
  readonly limiterOf: LimiterOf;
  noteDamage(): void;
  metricsOfAll(): Promise<string>;
  /** Tells the parent again and again how this worker is, until the returned function is called. */
  tell(state: () => WorkerState, metrics: Registry): () => void;
}

/** What `process` has in a worker. */
export interface ParentProcess {
  send?(message: Message): unknown;
  on(event: 'message', take: (message: Message) => void): unknown;
  readonly connected?: boolean;
}

interface LinkOptions extends Pick<WorkerLink, 'number' | 'count' | 'isFirstStart'> {
  readonly parent: ParentProcess;
  readonly clock: Clock;
}

export function linkToParent(options: LinkOptions): WorkerLink {
  const { parent, clock, number, count, isFirstStart } = options;
  let state: NodeState = {
    storedThrough: 0,
    completeThrough: 0,
    engineNotReady: 'The engine is starting',
  };
  let metrics: Registry | undefined;
  const channel = createChannel({
    // Without a parent this process ends.
    send: (message) => void (parent.connected && parent.send?.(message)),
    clock,
    answer: () => metrics?.getMetricsAsJSON(),
    receive(message) {
      if (message.kind === 'node') state = message.state;
    },
  });
  parent.on('message', channel.take);
  return {
    number,
    count,
    isFirstStart,
    state: () => state,
    limiterOf(name, points, accuracy) {
      const share = accuracy === 'exact' ? 0 : Math.floor((points * freePart) / count);
      const pool = points - share * count;
      return createSharedLimiter({
        ...{ name, points, share, pool, clock },
        take: (wanted) => channel.ask<TakenPoints>({ what: 'points', ...wanted }),
      });
    },
    noteDamage: () => channel.send({ kind: 'damage' }),
    metricsOfAll: () => channel.ask<string>({ what: 'metrics' }),
    tell(own, registry) {
      metrics = registry;
      let cancel = () => {};
      const turn = () => {
        channel.send({ kind: 'worker', state: own() });
        cancel = clock.after(tellEveryMs, turn);
      };
      turn();
      return () => cancel();
    },
  };
}
