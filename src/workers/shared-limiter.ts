/**
 * A worker's side of limits. Asking the parent for each request would cost more than most requests,
 * so that a worker lets pass a small share of each limit by itself, and takes more from the parent
 * in portions. Exact bounds: docs/decisions/workers.md.
 */
import type { Clock } from '../lib/clock.ts';
import type { Limiter, LimitState } from '../lib/limiter.ts';
import type { TakenPoints, TakePoints } from './messages.ts';
import { createWindows } from './windows.ts';

/** Of a limit, what all workers together may pass without asking; and hold without using it. */
const freePart = 1 / 20;

interface SharedLimiterOptions {
  readonly name: string;
  readonly points: number;
  readonly accuracy: 'exact' | 'cheap';
  readonly workers: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  take(asked: TakePoints): Promise<TakenPoints>;
}

/** What a worker may still let pass of a subject in this minute. */
interface Room {
  points: number;
  isOver: boolean;
}

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const { name, points, accuracy, workers, clock, take } = options;
  const share = accuracy === 'exact' ? 0 : Math.floor((points * freePart) / workers);
  const pool = points - share * workers;
  const rooms = createWindows<Room>(clock, () => ({ points: share, isOver: false }));
  const limit = `${name} ${points}`;
  const ask = (subject: string, wanted: number) =>
    take({ what: 'points', limit, pool, subject, points: wanted });

  const over = (msBeforeNext: number): LimitState => ({ consumed: points + 1, msBeforeNext });

  return {
    points,
    async consume(subject) {
      const { state: room, msBeforeNext } = rooms.of(subject);
      if (room.points > 0) {
        room.points -= 1;
        return { consumed: 1, msBeforeNext };
      }
      // A flood beyond the limit does not reach the parent.
      if (room.isOver) return over(msBeforeNext);
      const taken = await ask(subject, Math.max(1, share));
      rooms.end(subject, taken.msBeforeNext);
      if (taken.granted === 0) {
        room.isOver = true;
        return over(taken.msBeforeNext);
      }
      room.points += taken.granted - 1;
      return { consumed: taken.taken, msBeforeNext: taken.msBeforeNext };
    },
    async look(subject) {
      const { taken, msBeforeNext } = await ask(subject, 0);
      return { consumed: taken, msBeforeNext };
    },
    async note(subject) {
      await ask(subject, 1);
    },
  };
}
