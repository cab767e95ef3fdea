/** Stored facts. All other parts see them through these interfaces only. */

import type { Readable } from 'node:stream';
import type { PlayerState } from '../vocabulary/player-states.ts';
import type { CurrentVerdicts, SuspectName } from '../vocabulary/suspects.ts';
import type { WaitCause, WaitOutcome } from '../vocabulary/waits.ts';
import type { AccountDay, BoundCondition, BoundParameters, SlotRange } from './sql/account-days.ts';
import type { Attributes, OpenColumn, SystemRank } from './tables/audience.ts';

export type { AccountDay, SlotRange } from './sql/account-days.ts';
export { type BoundArray, boundArray, selectKeptDays, storableMs } from './sql/account-days.ts';
export {
  bitrateOf,
  hasQuality,
  isStarted,
  ofOutcome,
  type QualitySum,
  qualityCounts,
  surelyOverMs,
} from './sql/quality.ts';
export {
  countedMedia,
  countedPart,
  leastPlaysToCheck,
  mediaOfPart,
  noView,
  timeInSlot,
  unionOfPoints,
  viewHash,
  viewNumber,
} from './sql/views.ts';
export type * from './store-maintenance.ts';
export { sameBeginningMs } from './sums/view-beginnings.ts';
export {
  type Attributes,
  type AudienceCount,
  type AudienceGroupingName,
  allTold,
  audienceCounts,
  audienceGrouping,
  betweenVersions,
  type DetailColumn,
  detailColumns,
  type FactColumn,
  isFactColumn,
  namedValueSql,
  type OpenColumn,
  openColumns,
  type QualitySumName,
  type QualityViewsName,
  type SystemRank,
  toldOfFactNames,
  valueSql,
} from './tables/audience.ts';
export { tables } from './tables/schema.ts';
export {
  causeBelowCeiling,
  daySuffix,
  findGrouping,
  type GroupingName,
  type KeyColumn,
  mediaBelowCeiling,
  type PeakGrouping,
  partsOfPeak,
  playBelowCeiling,
  playMsBelowCeiling,
  type SumName,
  slotMs,
  smallestGrouping,
  sums,
  unpackSum,
} from './tables/sums.ts';

/**
 * The part of one stretch that lies in one slot, which its account, slot, package, video, view,
 * stretch, beginning and suspect identify. `plays` and `playMs` only ever grow, and so does what is
 * known about a ceiling; of all else the best that was told counts. So writing a fact again changes
 * nothing.
 */
export interface Fact {
  readonly accountId: number;
  /** Start of the slot, milliseconds since the epoch. */
  readonly slotStart: number;
  readonly packageId: number;
  readonly videoId: number;
  readonly os: string;
  readonly osVersion: string;
  /** How well it is known; absent: 1, from a User-Agent. */
  readonly systemRank?: SystemRank | undefined;
  /** The view's id, hashed into the form of a UUID. */
  readonly view: string;
  readonly stretch: number;
  /**
   * Empty for usual playback. Else the id of the suspect that it belongs to, a group of facts that
   * are kept but not counted until an operator accepts it: `REASON:yyyy-mm-dd:SUBJECT`, at most 64
   * characters of ASCII.
   */
  readonly suspect: string;
  /** 1 if the view's one play was counted in this slot, otherwise 0. */
  readonly plays: number;
  readonly playMs: number;
  /** Absent: all of `playMs` counts. */
  readonly ceiling?: Ceiling;
  /** Absent: nothing else is known. */
  readonly details?: FactDetails;
  /** Absent: nothing was told of it. */
  readonly quality?: FactQuality | undefined;
}

/** How well it played, or how long somebody waited for it. The largest of each value counts. */
export interface FactQuality {
  /** Of a wait, which has no playback, and begins where `startMs` says. */
  readonly wait?: Wait | undefined;
  /** Of the media played in the whole stretch. */
  readonly mediaBits?: number | undefined;
  readonly frames?: number | undefined;
  readonly droppedFrames?: number | undefined;
  /** Where the media comes from. */
  readonly mediaHost?: string | undefined;
}

export interface Wait {
  readonly cause: WaitCause;
  readonly outcome: WaitOutcome;
  readonly waitMs: number;
  /** A short code of what ended it, or broke playback off. */
  readonly error?: string | undefined;
}

/**
 * What else is known about a fact's stretch. Nothing but its beginning is identity: if two reports
 * of a stretch differ, the largest of each value counts, texts by code points.
 */
export interface FactDetails {
  /** Start of the stretch, milliseconds since the epoch. */
  readonly startMs: number;
  /** How long the stretch has gone on after the fact's slot. */
  readonly laterMs: number;
  /** Where in the media the stretch began, in milliseconds. */
  readonly position?: number | undefined;
  /** How far the media has advanced in the whole stretch. */
  readonly mediaMs: number;
  /** What was told of the viewer (vocabulary/viewers.ts); absent: the view is one of its own. */
  readonly viewer?: string | undefined;
  readonly attributes: Attributes;
}

/** Stores items of one kind. */
export interface Writer<Item> {
  /**
   * Resolves when the items are durable, in a journal with the counts of what they came from. After
   * a rejection they may or may not be: write again.
   */
  write(items: readonly Item[], ledger?: readonly LedgerRow[]): Promise<void>;
  /** Why the store does not accept items; undefined while it does. */
  whyNotReady(): string | undefined;
  /** Whether writing again soon cannot help. */
  isFull?(): boolean;
  /** Whether so much waits for the store that only small requests should go on. */
  isFilling?(): boolean;
}

export interface FactWriter extends Writer<Fact> {
  /** Shortest time between the starts of two writes. */
  readonly everyMs: number;
}

/** The values that the stored facts of a day name, each once; a fact is of its slot's day. */
export interface DayValues extends AccountDay {
  /** Those of facts that have a suspect; otherwise of those that have none. */
  readonly areApart: boolean;
  /** A version stands after what it is of, with `betweenVersions`. */
  readonly values: Readonly<Record<OpenColumn, readonly string[]>>;
}

export interface ValueReader {
  /** Of those days that have facts, those of what counts and those of what is set apart. */
  valuesOf(days: readonly AccountDay[]): Promise<DayValues[]>;
  /**
   * What counted in the week before each day: at most so many values of each column, those of the
   * most days first, and of the most plays among these.
   */
  earlierValuesOf(days: readonly AccountDay[], most: number): Promise<EarlierValues[]>;
}

export type EarlierValues = Omit<DayValues, 'areApart'>;

/**
 * A moment of a view as its player reported it. View, moment, number and state are its identity;
 * the first of several arrivals is kept, so writing an event again changes nothing.
 */
export interface PlayerEvent {
  readonly accountId: number;
  /** The view's id, hashed into the form of a UUID. */
  readonly view: string;
  /** CMCD: the instant, by the sender's clock. Player log: where in the media the range begins. */
  readonly momentMs: number;
  /** CMCD: the event's number. Player log: the length of the range. */
  readonly sequence: number;
  readonly state: PlayerState;
  /** When it first arrived, by the service's clock. */
  readonly arrivalMs: number;
  /** A short code of what went wrong. */
  readonly error?: string | undefined;
  /** Of the media that is played: kbit/s, how fast it is played, and what kind of stream it is. */
  readonly bitrate?: number | undefined;
  readonly rate?: number | undefined;
  readonly streamType?: string | undefined;
}

export interface ViewName {
  readonly accountId: number;
  readonly view: string;
}

/** A range of moments of a view, both ends included. */
export interface ViewWindow extends ViewName {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * More events of one view than a player reports in two days of playing. Nothing is counted from a
 * view with more: otherwise a sender that reports millions in one view would have them all read
 * each time.
 */
export const mostEventsOfView = 20_000;
/** In one read of many views: more would hold the event loop for too long. */
export const mostEventsOfRead = 40_000;

export interface ViewSize extends ViewName {
  readonly events: number;
}

/** Single events. They are kept for at least a week. */
export interface EventLog extends Writer<PlayerEvent> {
  /**
   * Each event in the windows once, in any order. Undefined if there are more than
   * `mostEventsOfRead`, copies included: ask for fewer at once.
   */
  read(windows: readonly ViewWindow[]): Promise<PlayerEvent[] | undefined>;
  /**
   * Where the play of a view is counted or, while it is not, all events of the view. Undefined as
   * with `read`.
   */
  beginnings(views: readonly ViewName[]): Promise<PlayerEvent[] | undefined>;
  /** How many events are in each window, copies included; without those that have none. */
  count(windows: readonly ViewWindow[]): Promise<ViewSize[]>;
}

/**
 * How many beacons of an account had one outcome on a day, as a process has counted so far: of
 * several rows of one identity the largest counts.
 */
export interface LedgerRow {
  readonly accountId: number;
  /** In UTC, yyyy-mm-dd. */
  readonly day: string;
  readonly outcome: string;
  /** A UUID, new for each account, day and outcome that a process counts. */
  readonly run: string;
  readonly beacons: number;
}

export type LedgerSum = Pick<LedgerRow, 'day' | 'outcome' | 'beacons'>;

interface LedgerRange {
  readonly accountId: number;
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface LedgerStore extends Writer<LedgerRow> {
  /** The sums over all runs, in order of days. */
  read(range: LedgerRange): Promise<LedgerSum[]>;
}

/** What was erased, for what arrives later. */
export interface ErasureBook {
  /**
   * Of these names those that were erased, and until when (ms): of facts whose slots begin before.
   * A name is the id of a view, the number of a viewer, or the ids of a package and a video with a
   * space between, 0 for any.
   */
  erasedUntil(accountId: number, names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A view of one video that was set apart, wholly or from some time on. */
export interface SuspectView extends Pick<Fact, 'packageId' | 'videoId'> {
  readonly view: string;
  readonly suspect: string;
  /** What of it was not set apart: stretches and their times (ms). Empty: nothing. */
  readonly usual: readonly (readonly [stretch: number, ms: number])[];
}

export interface Suspects {
  /** Those with the most playback time first, at most 10,000. */
  list(range: SlotRange): Promise<SuspectSums[]>;
  /** Whether anything was set apart under this id. */
  has(name: SuspectName): Promise<boolean>;
  /** Of all accounts, those that have playback since an instant (ms); at most 10,000. */
  namesSince(sinceMs: number): Promise<SuspectName[]>;
  /**
   * Brings the sums in line with the current verdict on the suspect; questions see all of the
   * change or nothing of it. Roll-ups do the same when they first see a verdict, but not those
   * that were made while no process ran: call this for them after a start. May be repeated.
   */
  sumAgain(name: SuspectName): Promise<void>;
}

/** Whether the store of the facts answers: for monitoring. */
export interface FactHealth {
  /** Why it does not answer; undefined while it does. */
  whyNotReady(): string | undefined;
  /** Rejects with the reason if it does not answer. */
  ping(): Promise<void>;
}

/** A UTC day (ms) with counts by each grouping. */
export interface AudienceDay {
  readonly day: number;
  /** Which counts of the day they are: a time (ms) by the store's clock. */
  readonly countedAtMs: number;
  /** How many views have a mark, and are not in the counts. */
  readonly marks: number;
  /** How many others have a viewer that the page named, whose viewers are not in them. */
  readonly namedViews: number;
}

export interface FactReader {
  read<Row>(query: FactQuery): Promise<Row[]>;
  /** The same for many rows: they are taken in a portion at a time. */
  readMany<Row>(query: FactQuery): Promise<Row[]>;
  /** The answer in a file's format. What is not read must be destroyed. */
  write(query: FactQuery, format: RowFormat, signal: AbortSignal): Promise<WrittenRows>;
  /** UTC days (ms) of an account whose daily sums may be incomplete, ascending. */
  unsettledDays(accountId: number): Promise<readonly number[]>;
  /** UTC days (ms) of an account whose kept peaks may lag behind their facts, ascending. */
  unsettledPeaks(accountId: number): Promise<readonly number[]>;
  /** Whole UTC days (ms) of the range on which every view without a mark is regular, ascending. */
  checkedDays(range: SlotRange): Promise<readonly number[]>;
  /** Those of them with counts that are current, ascending. */
  audienceDays(range: SlotRange): Promise<readonly AudienceDay[]>;
  /** What counts in a range. */
  countedWithin(range: SlotRange): Promise<Counted>;
  /**
   * Reads between erasures, so that no answer has half of one: waits for sums that are being made
   * again, and reads again if an erasure came in between. Rejects with UNAVAILABLE if that takes
   * long.
   */
  between<Answer>(accountId: number, read: () => Promise<Answer>): Promise<Answer>;
  /** Since when (ms) the facts of an account are kept; of earlier ones only the sums are. */
  keptSince(accountId: number): Promise<number>;
  /** Since when (ms) the store keeps quality; facts of an earlier release have none. */
  keepsQualitySince(): Promise<number>;
  /** Everything acknowledged before this instant (ms) is included in every later `read`. */
  completeThrough(): number;
}

export interface FactQuery {
  /** The statement's name in logs and metrics; never contains input. */
  readonly name: string;
  readonly sql: string;
  readonly parameters: BoundParameters;
  /** Whether it groups many facts by slot: in the order in which they lie that is quicker. */
  readonly groupsBySlot?: boolean;
  /** Whether it reads many facts: then others go first, and one account runs one at a time. */
  readonly isCostly?: boolean;
  /** Whether the same rows would be read whenever it is run: then these are kept. */
  readonly isFinal?: (rows: readonly never[]) => boolean;
  /** Whether rows of some seconds ago will do: how much there is, by which a reader plans. */
  readonly isEstimate?: boolean;
}

/** Runs a statement on behalf of whoever asks, when it is their turn. */
export type MeterStatement = <Answer>(
  query: Pick<FactQuery, 'isCostly'>,
  run: () => Promise<Answer>,
) => Promise<Answer>;

/** Which facts of a range count. */
export interface Counted {
  /** The accepted suspects with facts in it: of all suspects, only theirs count. */
  readonly accepted: readonly string[];
  /** These do not. */
  readonly erased?: BoundCondition | undefined;
  /** All are merged while they are read; else only those in slots that are in several parts. */
  readonly mergesAll: boolean;
  /** A part of the range that is longer than this has many facts; default: none has. */
  readonly manyFactsMs?: number;
}

/** Forms in which the store writes rows. */
export type RowFormat = 'csv' | 'csv without header' | 'jsonl' | 'parquet';

/** Rows as the store writes them. It has made them all before the first byte is sent. */
export interface WrittenRows {
  readonly rows: number;
  readonly bytes: Readable;
}

/** Facts of a suspect, within the slots that were asked for. */
export interface SuspectSums {
  readonly suspect: string;
  /** Start of its first slot and end of its last, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly views: number;
  readonly videos: number;
  /** What it would add to the counts if the account had no other facts. */
  readonly plays: number;
  readonly playMs: number;
}

/**
 * The most of a fact's time that counts, if more may have been stored before enough was known. If
 * there are several ceilings, the one made from the most events counts; each of these sets of
 * events contains all smaller ones.
 */
export interface Ceiling {
  readonly ms: number;
  /** At least 1. */
  readonly known: number;
}

export interface VerdictSource {
  /** Both parts from one consistent read. Called twice a second, so it should be cheap. */
  current(): Promise<CurrentVerdicts>;
}
