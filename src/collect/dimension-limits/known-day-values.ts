/** Which values the dimensions of accounts' days have, as far as this process knows. */

import { dayMs } from '../../lib/time/utc-day.ts';
import { copyText } from '../../lib/values/text-copy.ts';
import type { AccountDay, Fact } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';

/** More than there are days until the times of facts end. */
const mostDayNumbers = 100_000;
/** Facts are in the store, or were refused, this long after their values were judged. */
const longestOnTheWayMs = 60_000;

/** Longer values count as several. */
const charactersPerEntry = 64;

export interface RememberedDay {
  /** Whether the value has a place in this room of the day; rooms are named by numbers. */
  has(room: number, value: string): boolean;
  /** A value that is not reserved is a newcomer in its room. */
  add(room: number, value: string, isReserved: boolean): void;
  size(room: number): number;
  newcomers(room: number): number;
  /**
   * By dimension: values of earlier days, which keep their place until they are told; undefined
   * while they are not known.
   */
  readonly reserved: readonly ReadonlySet<string>[] | undefined;
  reserve(values: readonly (readonly string[])[]): void;
  /** Of all its values. */
  entries(): number;
  /** By the clock that never jumps: until then new values are judged without asking again. */
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

/** `mostEntries`: days and values, all together. */
export function createRememberedDays(mostEntries: number): RememberedDays {
  const days = new Map<number, RememberedDay>();
  let entries = 0;

  const createDay = (): RememberedDay => {
    const values: (Set<string> | undefined)[] = [];
    const newcomers: number[] = [];
    let reserved: readonly ReadonlySet<string>[] | undefined;
    let ofDay = 0;
    const take = (value: string): string => {
      const more = 1 + Math.floor(value.length / charactersPerEntry);
      ofDay += more;
      entries += more;
      return copyText(value);
    };
    return {
      isFreshUntil: 0,
      usedAtMs: 0,
      entries: () => ofDay,
      size: (room) => values[room]?.size ?? 0,
      newcomers: (room) => newcomers[room] ?? 0,
      get reserved() {
        return reserved;
      },
      reserve(all) {
        reserved ??= all.map((some) => new Set(some.map(take)));
      },
      has: (room, value) => values[room]?.has(value) === true,
      add(room, value, isReserved) {
        const known = values[room] ?? new Set();
        values[room] = known;
        if (known.has(value)) return;
        known.add(take(value));
        if (!isReserved) newcomers[room] = (newcomers[room] ?? 0) + 1;
      },
    };
  };

  return {
    of: ({ accountId, slotStart }) => days.get(createKey(accountId, slotStart)),
    ofDay({ accountId, day }) {
      const key = createKey(accountId, day);
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
        entries -= 1 + day.entries();
        if (entries + more <= mostEntries) return;
      }
      throw new Fault('UNAVAILABLE', 'Too many days are being reported at once', {
        retryAfterSeconds: 5,
        reason: 'overload',
      });
    },
  };
}

export function findDay({ slotStart }: Pick<Fact, 'slotStart'>): number {
  return Math.floor(slotStart / dayMs) * dayMs;
}

function createKey(accountId: number, instantMs: number): number {
  return accountId * mostDayNumbers + Math.floor(instantMs / dayMs);
}
