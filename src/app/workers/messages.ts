/** What the processes of one node send each other: workers and the parent that supervises them. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { WantedPoints } from '../../lib/limits/shared-limiter.ts';

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Of one worker, many times a second. */
export interface WorkerState {
  /** Everything it acknowledged before this instant (ms) is in the store; 0 while it starts. */
  readonly storedThrough: number;
  /** How far it has summed what all acknowledged (ms); 0 if it sums nothing. */
  readonly completeThrough: number;
  /** Whether it answers. */
  readonly isReady: boolean;
}

/** Of all workers together: the least `storedThrough`, the greatest `completeThrough`. */
export interface NodeState extends Pick<WorkerState, 'storedThrough' | 'completeThrough'> {
  /** Why the bundled engine does not answer; undefined while it does, or where there is none. */
  readonly engineNotReady: string | undefined;
}

export type TakePoints = WantedPoints & { readonly what: 'points' };

/** A worker asks for points, or for the metrics of all; the parent for those of a worker. */
export type Question = TakePoints | { readonly what: 'metrics' };

export type Message =
  | { readonly kind: 'worker'; readonly state: WorkerState }
  | { readonly kind: 'node'; readonly state: NodeState }
  | { readonly kind: 'damage' }
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };
