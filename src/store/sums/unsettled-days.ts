/** The UTC days of accounts that were touched since their daily sums, or their peaks, were made. */
import type { AccountDay } from '../facts.ts';

export interface Touch {
  /** When it was first touched, by the process's clock that never jumps (ms). */
  readonly sinceMs: number;
  /** The roll-up's progress at that time, by the store's clock (ms). */
  readonly through: number;
}

/** A day that waits. */
interface Waiting extends Touch {
  /** When it was last touched (ms). */
  readonly lastMs: number;
}

export interface UnsettledDays {
  /** A day that is unsettled already keeps its age. */
  add(days: readonly AccountDay[], touch: Touch): void;
  /** Call it when the days have been summed. */
  settle(days: readonly AccountDay[]): void;
  /** Ascending. */
  of(accountId: number): readonly number[];
  /** At most `most` of those that are due. */
  due(isDue: (waiting: Waiting & AccountDay) => boolean, most: number): readonly AccountDay[];
  /** The smallest `through` of all, or of these; undefined if none is unsettled. */
  oldestThrough(of?: readonly AccountDay[]): number | undefined;
}

export function createUnsettledDays(): UnsettledDays {
  const accounts = new Map<number, Map<number, Waiting>>();
  return {
    add(days, touch) {
      for (const { accountId, day } of days) {
        const own = accounts.get(accountId) ?? new Map<number, Waiting>();
        accounts.set(accountId, own);
        own.set(day, { ...(own.get(day) ?? touch), lastMs: touch.sinceMs });
      }
    },
    settle(days) {
      for (const { accountId, day } of days) {
        const own = accounts.get(accountId);
        own?.delete(day);
        if (own?.size === 0) accounts.delete(accountId);
      }
    },
    of: (accountId) => [...(accounts.get(accountId)?.keys() ?? [])].sort((a, b) => a - b),
    due(isDue, most) {
      const due: AccountDay[] = [];
      for (const [accountId, own] of accounts) {
        for (const [day, waiting] of own) {
          if (isDue({ ...waiting, accountId, day })) due.push({ accountId, day });
          if (due.length === most) return due;
        }
      }
      return due;
    },
    oldestThrough(of) {
      let oldest: number | undefined;
      const note = ({ through }: Touch) => {
        oldest = Math.min(oldest ?? through, through);
      };
      if (of === undefined) {
        for (const own of accounts.values()) for (const touch of own.values()) note(touch);
      } else {
        for (const { accountId, day } of of) {
          const touch = accounts.get(accountId)?.get(day);
          if (touch) note(touch);
        }
      }
      return oldest;
    },
  };
}
