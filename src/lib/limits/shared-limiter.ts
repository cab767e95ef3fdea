/**
 * One process's side of a limit that several processes count together, at one place. Asking there
 * for each request would cost more than most requests, so that a process may let pass a small share
 * of each limit by itself, and takes more in portions. Bounds: docs/decisions/shared-limits.md.
 */
import type { Clock } from '../time/clock.ts';
import { createWindows, type Limiter, type LimitState } from './limiter.ts';

/** Points of a limit for one address or key; 0 only looks. */
export interface WantedPoints {
  readonly limit: string;
  /** All that may be taken in a minute. */
  readonly pool: number;
  readonly subject: string;
  readonly points: number;
}

export interface TakenPoints {
  readonly granted: number;
  /** By all processes in this minute. */
  readonly taken: number;
  readonly msBeforeNext: number;
}

interface SharedLimiterOptions {
  readonly name: string;
  readonly points: number;
  /** What this process lets pass without asking, and takes at a time; 0: asks for each. */
  readonly share: number;
  /** What all processes may take: less than `points` where their shares are part of these. */
  readonly pool: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  take(wanted: WantedPoints): Promise<TakenPoints>;
}

/** What this process may still let pass of a subject in this minute. */
interface Room {
  points: number;
  /** By all processes, as far as this one knows. */
  taken: number;
  isOver: boolean;
  /** Requests that wait for what is being asked. */
  waiting: number;
  /** One question at a time for each subject. */
  asking: Promise<void> | undefined;
}

export function createSharedLimiter(options: SharedLimiterOptions): Limiter {
  const { name, points, share, pool, clock, take } = options;
  const rooms = createWindows<Room>(clock, () => ({
    ...{ points: share, taken: share, isOver: false, waiting: 0, asking: undefined },
  }));
  const limit = `${name} ${points}`;

  const over = (msBeforeNext: number): LimitState => ({ consumed: points + 1, msBeforeNext });

  /** Resolves to the room as it then is: with the minute of all, which may be a new one. */
  async function ask(subject: string, wanted: number) {
    const answer = await take({ limit, pool, subject, points: wanted });
    const { state: room } = rooms.of(subject);
    rooms.end(subject, answer.msBeforeNext);
    room.taken = answer.taken;
    room.isOver = answer.granted < wanted || answer.taken >= pool;
    return { room, answer };
  }

  async function takeMore(subject: string, wanted: number): Promise<void> {
    const { room, answer } = await ask(subject, wanted);
    room.points += answer.granted;
  }

  return {
    points,
    async consume(subject) {
      for (;;) {
        const { state: room, msBeforeNext } = rooms.of(subject);
        if (room.points > 0) {
          room.points -= 1;
          return { consumed: room.taken - room.points, msBeforeNext };
        }
        // A flood beyond the limit gets no further than this process.
        if (room.isOver) return over(msBeforeNext);
        room.waiting += 1;
        // Those who come meanwhile are asked for together afterwards.
        room.asking ??= takeMore(subject, Math.max(room.waiting, share)).finally(() => {
          room.asking = undefined;
        });
        try {
          await room.asking;
        } finally {
          // TRICKY: in the same turn in which it may have to ask again, for all who still wait.
          room.waiting -= 1;
        }
      }
    },
    async look(subject) {
      const { state: room, msBeforeNext } = rooms.of(subject);
      if (room.isOver) return over(msBeforeNext);
      const { answer } = await ask(subject, 0);
      return { consumed: answer.taken, msBeforeNext: answer.msBeforeNext };
    },
    async note(subject) {
      await ask(subject, 1);
    },
  };
}
