/**
 * How far apart the clocks of a cluster's servers are. Each stamps arrivals by its own, and the
 * roll-up looks back by the clock of the host in use: far enough for this much of a difference.
 */
import type { Registry } from 'prom-client';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { FactStore } from '../client/store-client.ts';

export const coveredSkewMs = 10_000;
const measureEveryMs = 60_000;

interface SkewOptions {
  readonly cluster: string;
  readonly store: Pick<FactStore, 'select'>;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface FollowedSkew {
  /** Measures now, and then every minute; what cannot be measured is left for the next time. */
  measure(): Promise<void>;
  stop(): void;
}

export function followSkew(options: SkewOptions): FollowedSkew {
  const { cluster, store, metrics, clock, logger } = options;
  let skewMs = Number.NaN;
  let stop = () => {};
  addGauge(
    metrics,
    'playmeter_cluster_clock_skew_seconds',
    "Seconds between the clocks of the cluster's servers; NaN: not measured yet",
    () => skewMs / 1_000,
  );
  const measure = async (): Promise<void> => {
    stop();
    stop = clock.after(measureEveryMs, () => void measure());
    const measured = await measureSkew({ cluster, store, clock }).catch(() => undefined);
    if (measured === undefined) return;
    skewMs = measured;
    if (skewMs > coveredSkewMs) logger.error({ skewMs, coveredSkewMs }, complaint);
  };
  return { measure, stop: () => stop() };
}

const complaint =
  "the clocks of the statistics cluster's servers differ by more than is covered: " +
  'new playback may be missing from the statistics until they are set';

/** How far apart they certainly are now, ms. */
export async function measureSkew(
  options: Pick<SkewOptions, 'cluster' | 'store' | 'clock'>,
): Promise<number> {
  const { cluster, store, clock } = options;
  const startedAt = clock.monotonic();
  const [row] = await store.select<{ spreadMs: number }>({
    name: 'measure clock skew',
    // Of the other functions of the time, the host in use would send its own to all.
    sql: `SELECT toUnixTimestamp64Milli(max(nowInBlock64(3)))
        - toUnixTimestamp64Milli(min(nowInBlock64(3))) AS spreadMs
      FROM clusterAllReplicas('${cluster}', system.one)`,
    parameters: {},
  });
  // The servers are asked within this time of each other.
  return Math.max(0, (row?.spreadMs ?? 0) - (clock.monotonic() - startedAt));
}
