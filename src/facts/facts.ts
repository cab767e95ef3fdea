/** The facts at rest. All other parts see them through these interfaces only. */

/** A slot is a quarter of an hour in UTC: every time zone's hours and days are made of slots. */
export const slotMs = 15 * 60 * 1_000;

/**
 * The part of one stretch that lies in one slot. Everything but `plays` and `playMs` is its
 * identity; these two only ever grow, so writing a fact again changes nothing.
 */
export interface StretchFact {
  readonly accountId: number;
  /** Start of the slot, milliseconds since the epoch. */
  readonly slotStart: number;
  readonly packageId: number;
  readonly videoId: number;
  readonly os: string;
  readonly osVersion: string;
  /** The view's id, hashed into the form of a UUID. */
  readonly view: string;
  readonly stretch: number;
  /** 1 where the view's one play was counted in this slot, else 0. */
  readonly plays: number;
  readonly playMs: number;
}

/** Takes rows of one kind. */
export interface Writer<Row> {
  /** Resolves when the rows are durable. After a rejection they may be or not: write again. */
  write(rows: readonly Row[]): Promise<void>;
  /** Undefined while the store takes rows; else why not. */
  whyNotReady(): string | undefined;
}

export interface FactWriter extends Writer<StretchFact> {
  /** How often to write: least time between the starts of two writes. */
  readonly everyMs: number;
}

/**
 * A moment of a view as its player told it. Everything but the arrival is its identity; of the
 * arrivals the first is kept, so writing an event again changes nothing.
 */
export interface PlayerEvent {
  readonly accountId: number;
  /** The view's id, hashed into the form of a UUID. */
  readonly view: string;
  /** CMCD: the instant, by the sender's clock. Player log: where in the media the range begins. */
  readonly momentMs: number;
  /** CMCD: the event's number. Player log: the length of the range. */
  readonly sequence: number;
  /**
   * `started`: playback has begun, but whether it goes on is not told. `untimed`: the event was
   * sent, but its moment is that of something else. `counted`: no player told it; the view's one
   * play is counted at this moment.
   */
  readonly state: 'playing' | 'started' | 'resting' | 'untimed' | 'counted';
  /** When it arrived first, by the service's clock. */
  readonly arrivalMs: number;
}

export interface ViewName {
  readonly accountId: number;
  readonly view: string;
}

/** Moments of a view, both ends included. */
export interface ViewWindow extends ViewName {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What single events told. They are kept for at least a week. */
export interface EventLog extends Writer<PlayerEvent> {
  /** Each event in the windows once, in no order. */
  read(windows: readonly ViewWindow[]): Promise<PlayerEvent[]>;
  /** What had arrived `withinMs` after a view first said that playback began, and whether the play
   * is counted; in no order. */
  beginnings(views: readonly ViewName[], withinMs: number): Promise<PlayerEvent[]>;
}

/**
 * How many beacons of an account came to one outcome on a day, as one run of a process has counted
 * so far: of the rows of one identity the largest holds.
 */
export interface LedgerRow {
  readonly accountId: number;
  /** In UTC, yyyy-mm-dd. */
  readonly day: string;
  readonly outcome: string;
  /** A UUID, new with each start of a process. */
  readonly run: string;
  readonly beacons: number;
}

export type LedgerSum = Pick<LedgerRow, 'day' | 'outcome' | 'beacons'>;

export interface LedgerRange {
  readonly accountId: number;
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface LedgerStore extends Writer<LedgerRow> {
  /** The sums of all runs, in the order of the days. */
  read(range: LedgerRange): Promise<LedgerSum[]>;
}

/** Whether the store of the facts answers: for those who watch the service. */
export interface FactHealth {
  /** Undefined while it does; else why not. */
  whyNotReady(): string | undefined;
  /** Rejects with the reason where it does not answer. */
  ping(): Promise<void>;
}

export interface FactQuery {
  readonly sql: string;
  /** Bound by the store under {name:Type}; never part of the text. */
  readonly parameters: Readonly<Record<string, string | number | readonly (string | number)[]>>;
}

export interface FactReader {
  read<Row>(query: FactQuery): Promise<Row[]>;
  /** UTC days (ms), ascending: all of an account whose sums by day may lack something. */
  unsettledDays(accountId: number): Promise<readonly number[]>;
  /** Everything acknowledged before this instant (ms) is in what `read` answers from now on. */
  completeThrough(): number;
}
