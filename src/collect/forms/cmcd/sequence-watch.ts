/** Counts what was lost on the way, by the gaps in the numbers of each view's events. */

import { Counter, type Registry } from 'prom-client';
import { createLruCache } from '../../../lib/values/lru-cache.ts';

const watchedLimitViews = 20_000;
const missingPerView = 200;
/** A longer gap is another beginning, or made up. */
const longestGap = 1_000;

interface Watched {
  next: number;
  readonly missing: Set<number>;
}

export type WatchSequence = (view: string, sequence: number) => void;

/** Lost for good are those missed less those recovered. */
export function watchSequences(metrics: Registry): WatchSequence {
  const counter = (name: string, help: string) =>
    new Counter({ name: `playmeter_cmcd_events_${name}_total`, help, registers: [metrics] });
  const missed = counter('missed', 'Numbers of CMCD events that were left out when a later came');
  const recovered = counter('recovered', 'CMCD events that came after they had been missed');
  const repeated = counter('repeated', 'CMCD events that came again');
  const views = createLruCache<string, Watched>(watchedLimitViews);

  return (view, sequence) => {
    const watched = views.get(view) ?? { next: sequence, missing: new Set<number>() };
    views.set(view, watched);
    const { next, missing } = watched;
    if (sequence < next) {
      if (missing.delete(sequence)) recovered.inc();
      else repeated.inc();
      return;
    }
    watched.next = sequence + 1;
    if (sequence - next > longestGap) return;
    missed.inc(sequence - next);
    const from = Math.max(next, sequence - (missingPerView - missing.size));
    for (let gap = from; gap < sequence; gap += 1) missing.add(gap);
  };
}
