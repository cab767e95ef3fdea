import type { ErasureTarget } from '../vocabulary/erasures.ts';
import type { AccountDay } from './sql/account-days.ts';

/** A stored sum, a kept peak or the marks of a day that are not what they were made of. */
export interface SumDifference extends AccountDay {
  /** Start of the slot or of the day, milliseconds since the epoch. */
  readonly atMs: number;
  /** A grouping, by day with `-day`; `peak of` one of `PeakGrouping`; or `marks of views`. */
  readonly grouping: string;
  /** The other columns that identify it, for people. */
  readonly about: string;
  /** Values by name. */
  readonly expected: Readonly<Record<string, number>>;
  readonly found: Readonly<Record<string, number>>;
  /** By how much its epoch is too high: above 0, no sum made from now on would count. */
  readonly epochsAhead: number;
}

/** A stretch of which something counts nothing, since the stretch began more than a minute earlier. */
export interface OtherBeginnings {
  readonly packageId: number;
  readonly videoId: number;
  readonly view: string;
  readonly stretch: number;
  /** All that were told (ms), ascending; of many the first hundred. The first one counts. */
  readonly beginningsMs: readonly number[];
}

export interface DayOfFacts extends AccountDay {
  readonly facts: number;
}

/** Files of the store that it cannot read as it wrote them. */
export interface DamagedPart {
  readonly table: string;
  readonly part: string;
  readonly reason: string;
}

/** The journal, as a start would find it. */
export interface JournalHealth {
  /** Facts in it: durable, but perhaps not in the store yet. */
  readonly facts: number;
  readonly damaged: readonly { readonly file: string; readonly places: number }[];
  /** Damaged files of earlier starts, kept for inspection. */
  readonly setAside: readonly string[];
}

/** Files of tables as they were at a moment, which stay for a while. */
export interface FrozenTables {
  /** The store's version. */
  readonly engine: string;
  readonly tables: readonly {
    readonly name: string;
    /** The statement that made it. */
    readonly create: string;
    readonly parts: readonly { readonly part: string; readonly folder: string }[];
  }[];
}

/** How far the clocks of a cluster's servers are apart, and how far they may be. */
export interface ServerClocks {
  readonly apartMs: number;
  /** Beyond this, new playback may be missing from the statistics. */
  readonly coveredMs: number;
}

/** How the store is doing. */
export interface StoreHealth {
  readonly version: string;
  /** By how much its clock is ahead of this machine's, in milliseconds; below 0: behind. */
  readonly clockAheadMs: number;
  /**
   * By how much the latest instant that it knows of is: its clock's, or that of a roll-up, which
   * an earlier run saved by a clock that was further.
   */
  readonly latestAheadMs: number;
  /** Of all tables on its disk. */
  readonly bytes: number;
  /** The table with the most parts in one partition. */
  readonly busiest: { readonly table: string; readonly parts: number } | undefined;
  /** Of all tables. */
  readonly parts: number;
  /** Parts that it found damaged and set aside, so that no question reads them. */
  readonly partsSetAside: number;
  /** Merges of parts under way. */
  readonly merges: number;
  /** Changes of stored rows that the store has still to make. */
  readonly unfinishedMutations: number;
  /** What it has allocated, by its own account. */
  readonly memoryBytes: number;
  /** Under its tables, with the smallest free share; undefined if it has none of its own. */
  readonly disk: StoreDisk | undefined;
}

export interface StoreDisk {
  readonly freeBytes: number;
  readonly sizeBytes: number;
}

/** What an erasure does with stored facts and sums. */
export interface FactErasure {
  /** After this (ms) all that was on its way when an erasure was recorded is in the store. */
  readonly settlesWithinMs: number;
  /** Ids of the views of a viewer with facts before `untilMs`. */
  viewsOf(target: ErasureTarget): Promise<string[]>;
  /** Those of the ids that have facts or events. */
  knownViews(accountId: number, views: readonly string[]): Promise<string[]>;
  /** What is stored of it; a view that has just begun may have events and no facts. */
  count(target: ErasureTarget): Promise<{ views: number; facts: number }>;
  /** Whether facts of any of these, done long ago, are stored, also beside counts, or events. */
  isAnyLeft(targets: readonly ErasureTarget[]): Promise<boolean>;
  /** Makes the sums of its days again, which are without it by then. May be repeated. */
  sumWithout(target: ErasureTarget): Promise<void>;
  /** Resolves when its facts and events are in no table. May be repeated. */
  delete(target: ErasureTarget): Promise<void>;
}

/** What the operator's verbs do with stored facts. */
export interface StoreVerification {
  /** After this (ms) a roll-up finds all facts that were in the store. */
  readonly settlesWithinMs: number;
  /** Sums everything that is noted by now, days too. */
  rollUp(): Promise<void>;
  /** Days of one statement. */
  readonly daysAtOnce: number;
  accounts(): Promise<number[]>;
  /** The days of an account that have facts or sums, ascending. */
  daysOf(accountId: number): Promise<DayOfFacts[]>;
  /** Each package and video that the account's facts or sums name. */
  namesOf(accountId: number): Promise<{ packageId: number; videoId: number }[]>;
  /** Of an account, at most 1,000. */
  otherBeginnings(accountId: number): Promise<OtherBeginnings[]>;
  /** The sums of these days that differ from the facts, at most 1,000 of each day. */
  checkSums(days: readonly AccountDay[]): Promise<SumDifference[]>;
  /**
   * Stores the sums of these days again, by the accounts' current epochs, all at once: questions
   * see all of it or nothing. At most `daysAtOnce`.
   */
  repairSums(days: readonly AccountDay[]): Promise<void>;
  /** For a backup; `storeFolder` is the store's own, on this machine. */
  freeze(storeFolder: string): Promise<FrozenTables>;
  health(): Promise<StoreHealth>;
  /** Of a cluster; undefined of a single server. */
  clocks(): Promise<ServerClocks | undefined>;
  /** Reads every file of the tables; `noteProgress` gets the share that is done. */
  checkParts(noteProgress: (share: number) => void): Promise<DamagedPart[]>;
}

/** The tables of a configured store. */
export interface TableAdmin {
  /** What is still to be done to them, for people; empty if they are those of this release. */
  findUndone(): Promise<string[]>;
  /**
   * Calls `noteDone` for each thing that `findUndone` names, when it is done; what that throws
   * breaks it off before the next. Rejects with UNAVAILABLE if a server is away or another node is
   * at it, and with INTERNAL if trying again cannot help.
   */
  bringUpToDate(noteDone?: () => void): Promise<void>;
  close(): Promise<void>;
}
