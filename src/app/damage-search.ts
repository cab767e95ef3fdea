/**
 * A merge that ran out of room can leave a damaged part. The engine finds that out when it reads
 * the part, and keeps what was merged for eight minutes only: so it is made to read what is new.
 */

import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time/clock.ts';

const everyMs = 60_000;
/** Written before the disk was seen to be full. */
const beforeMs = 60_000;

export interface DamageSearch {
  /** To be called now and then, with whether there is room. */
  note(isFull: boolean): void;
}

interface DamageSearchOptions {
  /** Looks at what was written in these last seconds. */
  readonly check: (withinSeconds: number) => Promise<void>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

export function createDamageSearch({ check, clock, logger }: DamageSearchOptions): DamageSearch {
  let wasFull = false;
  let isChecking = false;
  /** Undefined once all that was written without room has been looked at. */
  let uncheckedSinceMs: number | undefined;
  let checkAtMs = Number.POSITIVE_INFINITY;

  const look = async (sinceMs: number, isFull: boolean): Promise<void> => {
    const startedAtMs = clock.monotonic();
    await check(Math.ceil((startedAtMs - sinceMs + beforeMs) / 1_000));
    uncheckedSinceMs = isFull || wasFull ? startedAtMs : undefined;
  };

  return {
    note(isFull) {
      const nowMs = clock.monotonic();
      if (isFull) uncheckedSinceMs ??= nowMs;
      if (isFull !== wasFull) checkAtMs = isFull ? nowMs + everyMs : nowMs;
      wasFull = isFull;
      if (uncheckedSinceMs === undefined || isChecking || nowMs < checkAtMs) return;
      isChecking = true;
      checkAtMs = nowMs + everyMs;
      void look(uncheckedSinceMs, isFull)
        .catch((error: Error) => {
          logger.warn({ reason: error.message }, 'new parts could not be checked, trying again');
        })
        .finally(() => {
          isChecking = false;
        });
    },
  };
}
