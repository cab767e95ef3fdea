/**
 * Starts the engine again when it has found its data damaged, as after a merge on a full disk: it
 * then drops the damaged part and takes the parts that were merged, which it keeps for minutes.
 */
import type { Clock } from '../lib/time/clock.ts';
import type { Engine } from './engine.ts';

/** Damage that a restart does not mend is met again, so restarts become rare. */
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

/** Gives the function to call whenever damage is met. */
export function restartOnDamage(
  engine: Pick<Engine, 'restart'>,
  clock: Pick<Clock, 'monotonic'>,
): () => void {
  let pauseMs = firstPauseMs;
  let notBefore = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (now < notBefore) return;
    notBefore = now + pauseMs;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    engine.restart('it found its data damaged');
  };
}
