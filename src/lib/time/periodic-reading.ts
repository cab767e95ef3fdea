/** Keeps a look at something at hand that is too dear, or too far away, to look at each time. */
import type { Clock } from './clock.ts';

/** Counted from the end of a look: one that lasts is not begun twice. */
export const lookEveryMs = 15_000;
const afterFailureMs = 2_000;
/** What was seen longer ago is no longer said. */
const freshMs = 60_000;

export interface Looks<Seen> {
  /** NaN while nothing fresh was seen. */
  read(of: (seen: Seen) => number): number;
  /** How long the last look took; NaN while nothing fresh was seen. */
  tookMs(): number;
  stop(): void;
}

/**
 * Looks at once and then every 15 s. What fails is looked at again 2 s later, without a word. With
 * `mostShare` it looks for no more than this share of the time, however long each look lasts; what
 * was seen is then answered for as much longer.
 */
export function readPeriodically<Seen>(
  look: () => Promise<Seen>,
  clock: Clock,
  mostShare = 1,
): Looks<Seen> {
  let latest: { readonly seen: Seen; readonly atMs: number; readonly tookMs: number } | undefined;
  let isStopped = false;
  /** How much longer than usual the pause after the last look is. */
  let extraMs = 0;
  let cancel = () => {};
  const again = async (): Promise<void> => {
    const beganMs = clock.monotonic();
    const isSeen = await look().then(
      (seen) => {
        const atMs = clock.monotonic();
        latest = { seen, atMs, tookMs: atMs - beganMs };
        return true;
      },
      () => false,
    );
    if (isStopped) return;
    const tookMs = clock.monotonic() - beganMs;
    extraMs = Math.max(0, tookMs / mostShare - tookMs - lookEveryMs);
    cancel = clock.after((isSeen ? lookEveryMs : afterFailureMs) + extraMs, () => void again());
  };
  void again();
  const fresh = () =>
    latest && clock.monotonic() - latest.atMs < freshMs + extraMs ? latest : undefined;
  return {
    read(of) {
      const now = fresh();
      return now ? of(now.seen) : Number.NaN;
    },
    tookMs: () => fresh()?.tookMs ?? Number.NaN,
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
