/**
 * Gives memory back to the machine once a process rests. V8 keeps what a busy time needed, several
 * hundred megabytes, for as long as too little happens to collect garbage.
 */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Clock } from './time/clock.ts';

const lookEveryMs = 10_000;
/** Shares of the time between two looks in which the process had work. */
const busyShare = 0.2;
const restingShare = 0.05;
/** Looks in a row that find it resting. What is busy again soon needs that memory again. */
const restingLooks = { usually: 6, withMuch: 1 };
/** More than a busy time usually needs: garbage of large answers, for one. */
const muchMb = 450;

interface GiveBackOptions {
  readonly clock: Clock;
  /** Takes some 100 ms of a process that rests. */
  readonly collect: () => void;
  /** The share of the time since the last call in which the process had work. */
  readonly takeBusyShare?: () => number;
  /** What V8 holds for this process. */
  readonly heapMb?: () => number;
}

/** Returns how to end it. */
export function giveBackMemory(options: GiveBackOptions): () => void {
  const { clock, collect, takeBusyShare = shareOfLoop(), heapMb = heldByV8 } = options;
  let hasWorked = false;
  let rested = 0;
  const look = () => {
    const share = takeBusyShare();
    if (share >= busyShare) hasWorked = true;
    rested = share < restingShare ? rested + 1 : 0;
    const looks = heapMb() > muchMb ? restingLooks.withMuch : restingLooks.usually;
    if (hasWorked && rested >= looks) {
      hasWorked = false;
      collect();
    }
    cancel = clock.after(lookEveryMs, look);
  };
  let cancel = clock.after(lookEveryMs, look);
  return () => cancel();
}

/** Collects all garbage and returns the room; undefined without the flags of package.json. */
export function findCollector({ gc }: Pick<typeof globalThis, 'gc'>): (() => void) | undefined {
  // The usual flavor keeps the pages it has freed.
  return gc && (() => gc({ type: 'major', flavor: 'last-resort' }));
}

function heldByV8(): number {
  return getHeapStatistics().total_heap_size / 2 ** 20;
}

function shareOfLoop(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
