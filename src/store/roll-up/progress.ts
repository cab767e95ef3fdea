/** The progress of the roll-up, saved for the next start; deletes notes that are done with. */

import { assert } from '../../lib/assert.ts';
import { followSteps } from '../../lib/tasks/clock-steps.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import { keepLastNotes } from '../days/regular-views.ts';
import type { AccountDay, VerdictSource } from '../facts.ts';
import { readTouchedDays } from '../sums/touched-days.ts';
import { tables } from '../tables/schema.ts';

const keepTouchedMs = 3 * dayMs;

/** Milliseconds of the store's clock; 0: from the beginning, as before the first roll-up. */
export interface Progress {
  readonly through: number;
  readonly daysThrough: number;
}

interface SavedProgress extends Progress {
  /** The store's time now (ms). */
  readonly storeNow: number;
  /** It was saved by a clock that was set back since. */
  readonly isAhead: boolean;
}

/** What the rows of the table hold, by their number; of those of one number the largest counts. */
const rows = {
  progress: 1,
  /**
   * Until when the clock goes a second time, since it was set back. Progress up to then says nothing
   * of notes stamped since. It stays saved: it shows that the clock is behind.
   */
  repeated: 2,
} as const;

/** `skewMs`: by how much the clocks of the store's servers may differ. */
export async function readProgress(store: FactStore, skewMs: number): Promise<SavedProgress> {
  const savedMs = (column: keyof Progress, row: keyof typeof rows) =>
    `toUnixTimestamp64Milli(maxIf(rolled.${column}, one = ${rows[row]}))`;
  const [row] = await store.select<Progress & { repeatedMs: number; storeNow: number }>({
    name: 'read roll-up progress',
    sql: `SELECT ${savedMs('through', 'progress')} AS through,
      ${savedMs('daysThrough', 'progress')} AS daysThrough,
      ${savedMs('through', 'repeated')} AS repeatedMs,
      toUnixTimestamp64Milli(now64(3)) AS storeNow
      FROM ${tables.rolled.name} AS rolled`,
    parameters: {},
  });
  assert(row, 'a maximum over no rows is a row');
  const { through, daysThrough, repeatedMs, storeNow } = row;
  const isAhead = through > storeNow + skewMs;
  const known = (ms: number) => (isAhead || ms <= repeatedMs ? 0 : Math.min(ms, storeNow));
  return { through: known(through), daysThrough: known(daysThrough), storeNow, isAhead };
}

export async function saveProgress(store: FactStore, progress: Progress): Promise<void> {
  await store.command({
    name: 'save roll-up progress',
    sql: `INSERT INTO ${tables.rolled.name} (through, daysThrough) SELECT
      fromUnixTimestamp64Milli({through:Int64}), fromUnixTimestamp64Milli({daysThrough:Int64})`,
    parameters: { ...progress },
  });
}

/** The store's clock was set back: if progress beyond `through` (ms) was saved, none counts. */
export async function doubtProgress(store: FactStore, through: number): Promise<void> {
  await store.command({
    name: 'doubt roll-up progress',
    sql: `INSERT INTO ${tables.rolled.name} (one, through)
      SELECT ${rows.repeated}, max(rolled.through) AS latest
      FROM ${tables.rolled.name} AS rolled
      HAVING latest > fromUnixTimestamp64Milli({through:Int64})`,
    parameters: { through },
  });
}

/** Forgets all of it: the next start sums every slot that is noted again. */
export async function forgetProgress(store: FactStore): Promise<void> {
  await store.onEachServer((server) =>
    server.command({
      name: 'forget roll-up progress',
      sql: `ALTER TABLE ${tables.rolled.name} DELETE WHERE true SETTINGS mutations_sync = 1`,
      parameters: {},
    }),
  );
}

/** Notes from days before the saved progress have been summed, by slot and by day. */
export async function dropTouched(store: FactStore, progress: Progress): Promise<void> {
  const through = Math.min(progress.through, progress.daysThrough);
  // TRICKY: never before 1970, where the engine's dates wrap round to far in the future. The
  // progress of a new store is 0.
  const before = Math.max(0, through - (through % dayMs) - keepTouchedMs);
  const old = await store.select<{ day: string }>({
    name: 'find old notes of touched slots',
    sql: `SELECT DISTINCT toString(toDate(arrival)) AS day FROM ${tables.touched.name}
      WHERE arrival < fromUnixTimestamp64Milli({before:Int64})`,
    parameters: { before },
  });
  for (const { day } of old) {
    await keepLastNotes(store, day);
    await store.onEachServer((server) =>
      server.command({
        name: 'drop old notes of touched slots',
        sql: `ALTER TABLE ${tables.touched.name} DROP PARTITION {day:String}`,
        parameters: { day },
      }),
    );
  }
}

/* Up to when the roll-up may claim to be complete after somebody sets the store's clock. Arrivals
 * are stamped by that clock, so stamps after a step may be older or younger than those before it.
 */

/** A smaller difference is not a step but a busy machine. */
const stepMs = 1_000;

export interface StoreClock {
  /**
   * The instant from which, less the look-back, the next roll-up must look, given the store's
   * time now and the process's own time, which nobody sets (both ms). Whole milliseconds, as the
   * store expects them, although the process counts fractions.
   */
  through(storeNow: number, processNow: number): number;
}

/** `holdMs`: how long an insert that was stamped before a step may still be under way. */
export function createStoreClock(holdMs: number): StoreClock {
  let last: { storeNow: number; processNow: number } | undefined;
  let held: { through: number; untilProcess: number } | undefined;
  return {
    through(storeNow, processNow) {
      if (last !== undefined) {
        const elapsedMs = processNow - last.processNow;
        const jumpMs = storeNow - last.storeNow - elapsedMs;
        if (Math.abs(jumpMs) > stepMs) {
          // Back: everything stamped since the step. Forward: everything under way when it
          // happened.
          const through = jumpMs < 0 ? Math.floor(storeNow - elapsedMs) : last.storeNow;
          const earliest = Math.min(through, held?.through ?? through);
          held = { through: earliest, untilProcess: processNow + holdMs };
        }
      }
      last = { storeNow, processNow };
      if (held === undefined) return storeNow;
      if (processNow < held.untilProcess) return Math.min(held.through, storeNow);
      held = undefined;
      return storeNow;
    },
  };
}

/* How far the sums are, for a process that leaves the roll-up to another one: that one saves its
 * progress beside the facts, and the notes of touched slots show which days it has not settled.
 */

export interface FollowedSums {
  /** Reads how far the other process is. */
  look(): Promise<void>;
  /** Everything acknowledged before this instant (ms, this process's clock) has been summed. */
  completeThrough(): number;
  /** UTC days (ms) of which only the slots may be summed, ascending. */
  unsettledDays(accountId: number): readonly number[];
}

interface FollowedSumsOptions {
  readonly store: FactStore;
  readonly verdicts: Pick<VerdictSource, 'current'>;
  readonly clock: Clock;
  readonly lookBackMs: number;
  /** By how much the clocks of the store's servers may differ. */
  readonly skewMs: number;
  /** The same as `completeThrough`, as another process reports it; undefined: ask the store. */
  readonly reported: (() => number) | undefined;
}

export function createFollowedSums(options: FollowedSumsOptions): FollowedSums {
  const { store, verdicts, clock, lookBackMs, skewMs, reported } = options;
  let completeThrough = () => 0;
  let unsettled: DaysOfAccounts = new Map();
  const storeClock = createStoreClock(lookBackMs);
  /** Up to when (ms, the store's clock) notes were read while no day was known to be settled. */
  let readThrough = 0;

  return {
    async look() {
      // Taken before the days are read, so that these include all days touched before it.
      const reportedThrough = reported?.();
      const askedAt = clock.now();
      // How far somebody has set the clock since: the next look may take long.
      const steppedMs = followSteps(clock, 0);
      await verdicts.current();
      const { through, daysThrough, storeNow } = await readProgress(store, skewMs);
      // Until one is, they only become more: to read all notes each time would keep the store busy
      // for as long as its clock goes a second time.
      const isNoneSettled = daysThrough === 0;
      const readNow = storeClock.through(storeNow, clock.monotonic());
      readThrough = Math.min(readThrough, readNow);
      const from = Math.max(0, (isNoneSettled ? readThrough : daysThrough) - lookBackMs);
      const touched = await readTouchedDays(store, { from, batches: undefined });
      unsettled = addDays(isNoneSettled ? unsettled : new Map(), touched);
      readThrough = isNoneSettled ? readNow : 0;
      const ageMs = storeNow - through + skewMs;
      const promised = reportedThrough ?? (through === 0 ? 0 : askedAt - ageMs);
      // Where nothing can be promised, what was promised before still holds.
      if (promised > 0) completeThrough = () => promised + steppedMs();
    },
    completeThrough: () => completeThrough(),
    unsettledDays: (accountId) => unsettled.get(accountId) ?? [],
  };
}

/** UTC days (ms) by account, ascending. */
type DaysOfAccounts = ReadonlyMap<number, readonly number[]>;

function addDays(before: DaysOfAccounts, touched: readonly AccountDay[]): DaysOfAccounts {
  const days = new Map(before);
  for (const [accountId, added] of Map.groupBy(touched, (one) => one.accountId)) {
    const own = new Set([...(before.get(accountId) ?? []), ...added.map(({ day }) => day)]);
    days.set(
      accountId,
      [...own].sort((one, other) => one - other),
    );
  }
  return days;
}
