/**
 * Notes of touched slots, which the roll-up must sum again. Each insert of facts is followed by its
 * own batch of notes, so a reader that sees a note finds the facts.
 */
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import { tables } from '../tables/schema.ts';

/** Batches by number, with how many of their notes were seen. */
export type Batches = ReadonlyMap<number, number>;

/** Notes that arrived at `from` (ms, the store's clock) or later. */
export interface Notes {
  readonly from: number;
  /** Those of this instant and later are left out; undefined: none. */
  readonly until?: number;
  /** Undefined: all of them. */
  readonly batches: readonly number[] | undefined;
}

/** The statement lists their numbers; beyond this many it takes all notes. */
const mostBatches = 400;

export interface FoundBatches {
  /** The store's time now (ms). */
  readonly storeNow: number;
  readonly batches: Batches;
}

/** The batches in the store since `from`. */
export async function readBatches(store: FactStore, from: number): Promise<FoundBatches> {
  const [row] = await store.select<{
    readonly storeNow: number;
    readonly batches: [number, number][];
  }>({
    name: 'look for touched slots',
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS storeNow,
      groupArray((batch, notes)) AS batches
      FROM (SELECT batch, count() AS notes FROM ${tables.touched.name}
        WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) GROUP BY batch)`,
    parameters: { from },
  });
  assert(row, 'a sum over no rows is a row');
  return { storeNow: row.storeNow, batches: new Map(row.batches) };
}

/** Batches of which not all notes were seen before; undefined if there are none. */
export function unseenNotes(from: number, now: Batches, seen: Batches): Notes | undefined {
  const batches = [...now].filter(([batch, notes]) => seen.get(batch) !== notes);
  if (batches.length === 0) return undefined;
  const numbers = batches.length > mostBatches ? undefined : batches.map(([batch]) => batch);
  return { from, batches: numbers };
}

/** As finely as slots: what arrives at the same time mostly touches one or two of them. */
const arrivalMs = 900_000;

/**
 * Notes in portions that a statement sums in time: after a clock was set back, or at a start, there
 * may be those of days.
 */
export async function divideNotes(store: FactStore, notes: Notes): Promise<readonly Notes[]> {
  if (notes.batches !== undefined) return [notes];
  const rows = await store.select<{ fromMs: number }>({
    name: 'divide notes',
    sql: `SELECT DISTINCT intDiv(toUnixTimestamp64Milli(arrival), ${arrivalMs}) * ${arrivalMs} AS fromMs
      FROM ${tables.touched.name} WHERE ${isOfNotes} ORDER BY fromMs`,
    parameters: bindNotes(notes),
  });
  return rows.map(({ fromMs }) => {
    const from = Math.max(notes.from, fromMs);
    return { from, until: fromMs + arrivalMs, batches: undefined };
  });
}

/** Later than any note, and not beyond what the column holds. */
const endlessMs = Date.UTC(2299, 0);

/** For statements that read from the table of notes; with the parameters of `bindNotes`. */
export const isOfNotes = `arrival >= fromUnixTimestamp64Milli({from:Int64})
          AND arrival < fromUnixTimestamp64Milli({until:Int64})
          AND ({ofAll:UInt8} OR batch IN {batches:Array(UInt64)})`;

export function bindNotes({ from, until = endlessMs, batches }: Notes) {
  return { from, until, ofAll: batches === undefined ? 1 : 0, batches: batches ?? [] };
}

export async function readTouchedDays(store: FactStore, notes: Notes): Promise<AccountDay[]> {
  const rows = await store.select<{ accountId: number; day: number }>({
    name: 'read touched days',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day
      FROM ${tables.touched.name} WHERE ${isOfNotes}`,
    parameters: bindNotes(notes),
  });
  return rows.map(({ accountId, day }) => ({ accountId, day: day * 1_000 }));
}

/* The UTC days of accounts that were touched since their daily sums, or their peaks, were made. */

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

/* Settles unsettled days, a few at a time, so that the sums by slot, which are read first, are not
 * held up.
 */

/** Days per statement are chosen so that it takes about this long. */
const portionMs = 200;
const mostDaysOfPortion = 500;
/** At most a quarter of the time. */
const restPerWork = 3;

export interface SettleDays {
  /** Some of the days that have been unsettled for long enough; whether there were any. */
  some(): Promise<boolean>;
  allDue(): Promise<void>;
  /** Also those touched just now. */
  all(): Promise<void>;
}

interface SettleDaysOptions {
  readonly unsettled: UnsettledDays;
  readonly clock: Clock;
  /** How long a day may stay unsettled. */
  readonly everyMs: number;
  /** How long a day that is over may stay unsettled if nothing touches it: an import passed it. */
  readonly quietMs?: number;
  /** Of which the first statement has so many days; default 32. */
  readonly firstPortion?: number;
  settle(days: readonly AccountDay[]): Promise<void>;
}

export function createSettleDays(options: SettleDaysOptions): SettleDays {
  const { unsettled, clock, everyMs, quietMs = everyMs, firstPortion = 32, settle } = options;
  let portion = firstPortion;
  let restUntil = Number.NEGATIVE_INFINITY;

  const settlePortion = async (leastAgeMs = everyMs): Promise<boolean> => {
    const startedAt = clock.monotonic();
    const isOver = (day: number) => day + dayMs <= clock.now();
    const days = unsettled.due(
      ({ day, sinceMs, lastMs }) =>
        sinceMs <= startedAt - leastAgeMs || (lastMs <= startedAt - quietMs && isOver(day)),
      portion,
    );
    if (days.length === 0) return false;
    await settle(days);
    unsettled.settle(days);
    const tookMs = clock.monotonic() - startedAt;
    restUntil = clock.monotonic() + restPerWork * tookMs;
    if (tookMs > portionMs) portion = Math.max(1, Math.floor(portion / 2));
    else if (days.length === portion) portion = Math.min(mostDaysOfPortion, portion * 2);
    return true;
  };

  return {
    async some() {
      return clock.monotonic() >= restUntil && settlePortion();
    },
    async allDue() {
      while (await settlePortion());
    },
    async all() {
      while (await settlePortion(0));
    },
  };
}
