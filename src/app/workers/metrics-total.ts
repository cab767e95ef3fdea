/** Adds up the metrics of workers, those that have ended included: a counter must never sink. */
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Metrics } from './messages.ts';

export interface SummedMetrics {
  /** Those of a worker as they are now. */
  note(worker: number, metrics: Metrics): void;
  /** What an ended worker counted up to the last note stays; its gauges go. */
  end(worker: number): Promise<void>;
  /** As text for Prometheus, with those of the parent. */
  text(own: Registry): Promise<string>;
}

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
