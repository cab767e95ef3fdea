/**
 * The roll-up: sums the slots just touched again, from the facts, into `playback`.
 *
 * Nothing here needs a lock, a leader or exactly-once: sums of growing values only grow, and
 * `playback` keeps the largest, so a roll-up may be repeated, overlap, or run on many nodes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { type FactStore, writeTimeoutMs } from './fact-store.ts';

const intervalMs = 500;
const progressEveryMs = 10_000;
const keepTouchedDays = 2;

/**
 * Invariant: longer than any acknowledged insert took. A row is stamped when its insert begins and
 * seen when it ends, so one stamped before the last roll-up may have been seen by none yet.
 */
const lookBackMs = writeTimeoutMs + 2_000;

export interface RollUp {
  /** Everything acknowledged before this instant (ms, the service's clock) has been summed. */
  completeThrough(): number;
  /** Sums all that is acknowledged by now; for tests and for verbs that end with it. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

interface RollUpOptions {
  readonly store: FactStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function startRollUp({ store, clock, logger }: RollUpOptions): RollUp {
  const stopping = new AbortController();
  let through = 0;
  let since: number | undefined;
  let savedAt = 0;

  const rollOnce = async (): Promise<void> => {
    const startedAt = clock.now();
    since ??= await readProgress(store);
    const from = Math.max(0, since - lookBackMs);
    const { engineNow, touched } = await look(store, from);
    if (touched > 0) {
      await store.command(sumTouched(from));
      if (engineNow - savedAt > progressEveryMs) {
        await saveProgress(store, engineNow);
        savedAt = engineNow;
      }
    }
    since = engineNow;
    through = Math.max(through, startedAt);
  };

  // One at a time: two at once would only do the same work twice.
  let last: Promise<void> = Promise.resolve();
  const run = (): Promise<void> => {
    last = last.catch(() => {}).then(rollOnce);
    return last;
  };

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await run().catch((error) => logger.error({ err: error }, 'roll-up failed, trying again'));
      // After a long one, as long a pause: a large import must not take the engine for itself.
      const pauseMs = Math.max(intervalMs, performance.now() - startedAt);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    completeThrough: () => through,
    run,
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

async function look(store: FactStore, from: number) {
  const [row] = await store.select<{ engineNow: number; touched: number }>({
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS engineNow,
      (SELECT count() FROM touched WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}))
        AS touched`,
    parameters: { from },
  });
  return row as { engineNow: number; touched: number };
}

/** The groupings come from one pass over the facts; grouping() tells which row is of which. */
function sumTouched(from: number) {
  return {
    sql: `INSERT INTO playback
      (accountId, grouping, videoId, packageId, slot, os, osVersion, plays, playMs)
    SELECT accountId,
      concat(
        multiIf(grouping(packageId) = 1, 'account', grouping(videoId) = 1, 'package', 'video'),
        if(grouping(os) = 1, '', '-os')),
      videoId, packageId, slot, os, osVersion, sum(plays), sum(playMs)
    FROM (
      SELECT accountId, slot, packageId, videoId, os, osVersion, view, stretch,
        max(stretch.plays) AS plays, max(stretch.playMs) AS playMs
      FROM stretch
      WHERE (accountId, slot) IN (
        SELECT accountId, slot FROM touched
        WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}))
      GROUP BY accountId, slot, packageId, videoId, os, osVersion, view, stretch
    )
    GROUP BY GROUPING SETS (
      (accountId, slot),
      (accountId, slot, packageId),
      (accountId, slot, packageId, videoId),
      (accountId, slot, os, osVersion),
      (accountId, slot, packageId, os, osVersion),
      (accountId, slot, packageId, videoId, os, osVersion))
    SETTINGS force_grouping_standard_compatibility = 1`,
    parameters: { from },
  };
}

async function readProgress(store: FactStore): Promise<number> {
  const [row] = await store.select<{ through: number }>({
    sql: 'SELECT toUnixTimestamp64Milli(max(through)) AS through FROM rolled',
    parameters: {},
  });
  return row?.through ?? 0;
}

/** Progress is kept for the next start; what was touched long before it is needed no more. */
async function saveProgress(store: FactStore, engineNow: number): Promise<void> {
  await store.command({
    sql: 'INSERT INTO rolled (through) SELECT fromUnixTimestamp64Milli({through:Int64})',
    parameters: { through: engineNow },
  });
  const old = await store.select<{ day: string }>({
    sql: `SELECT DISTINCT toString(toDate(arrival)) AS day FROM touched
      WHERE arrival < fromUnixTimestamp64Milli({through:Int64}) - toIntervalDay({days:UInt8})`,
    parameters: { through: engineNow, days: keepTouchedDays + 1 },
  });
  for (const { day } of old) {
    await store.command({
      sql: 'ALTER TABLE touched DROP PARTITION {day:String}',
      parameters: { day },
    });
  }
}
