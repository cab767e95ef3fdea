/** Which versions of systems the days of accounts have, as far as this process knows. */
import type { AccountDay, Fact } from '../facts/facts.ts';
import { dayMs } from '../lib/utc-day.ts';
import { Fault } from '../wire/faults.ts';

/** More than there are days until the times of facts end. */
const mostDayNumbers = 100_000;
/** Facts are in the store, or were refused, this long after their versions were judged. */
const longestOnTheWayMs = 60_000;

export interface RememberedDay {
  /** Whether the version is one of the day's. */
  has(os: string, osVersion: string): boolean;
  add(os: string, osVersion: string): void;
  size(): number;
  /** Once a version was left out, none is added. */
  isFull: boolean;
  /** By the clock that never jumps: until then new versions are judged without asking again. */
  isFreshUntil: number;
  /** By the service's clock. */
  usedAtMs: number;
}

export interface RememberedDays {
  of(fact: Pick<Fact, 'accountId' | 'slotStart'>): RememberedDay | undefined;
  /** The day, remembered from now on. */
  ofDay(day: AccountDay): RememberedDay;
  /**
   * Makes room for so many more days. Only what has not been in use since well before
   * `completeThrough` is forgotten, for only its facts can be read again; throws UNAVAILABLE if
   * that is not enough.
   */
  makeRoom(more: number, completeThrough: number): void;
}

/** `mostEntries`: days and versions, all together. */
export function createRememberedDays(mostEntries: number): RememberedDays {
  const days = new Map<number, RememberedDay>();
  let entries = 0;

  const createDay = (): RememberedDay => {
    const bySystem = new Map<string, Set<string>>();
    let size = 0;
    return {
      isFull: false,
      isFreshUntil: 0,
      usedAtMs: 0,
      size: () => size,
      has: (os, osVersion) => bySystem.get(os)?.has(osVersion) === true,
      add(os, osVersion) {
        const versions = bySystem.get(os) ?? new Set();
        bySystem.set(os, versions);
        if (versions.has(osVersion)) return;
        versions.add(osVersion);
        size += 1;
        entries += 1;
      },
    };
  };

  return {
    of: ({ accountId, slotStart }) => days.get(keyOf(accountId, slotStart)),
    ofDay({ accountId, day }) {
      const key = keyOf(accountId, day);
      const known = days.get(key);
      if (known) return known;
      const created = createDay();
      days.set(key, created);
      entries += 1;
      return created;
    },
    makeRoom(more, completeThrough) {
      if (entries + more <= mostEntries) return;
      for (const [key, day] of days) {
        if (day.usedAtMs + longestOnTheWayMs >= completeThrough) continue;
        days.delete(key);
        entries -= 1 + day.size();
        if (entries + more <= mostEntries) return;
      }
      throw new Fault('UNAVAILABLE', 'Too many days are being reported at once', {
        retryAfterSeconds: 5,
      });
    },
  };
}

export function dayOf({ slotStart }: Pick<Fact, 'slotStart'>): number {
  return Math.floor(slotStart / dayMs) * dayMs;
}

function keyOf(accountId: number, instantMs: number): number {
  return accountId * mostDayNumbers + Math.floor(instantMs / dayMs);
}
