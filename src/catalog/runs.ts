/** What the catalog keeps of work by a schedule: one of all nodes carries it out. */

/** How a schedule stands, the same for all nodes. Instants are in milliseconds. */
export interface RunState {
  /** The next run is the first of the schedule after this. */
  readonly afterMs: number;
  /** How often the run that is due has failed, why last, and when it is attempted again. */
  readonly failures: number;
  readonly error: string | undefined;
  readonly retryAtMs: number;
  /** When the last run that succeeded ended. */
  readonly succeededAtMs: number | undefined;
}

export interface ScheduledRuns<State extends RunState = RunState> {
  /** Undefined: nothing was ever scheduled. */
  state(): Promise<State | undefined>;
  /**
   * Takes the lease of all runs for `runLeaseMs`; undefined if another process has it. The first
   * call begins the schedule.
   */
  hold(holder: string): Promise<State | undefined>;
  /**
   * Extends the lease to `runLeaseMs` from now. False if another process has had it since it was
   * taken, even if it is free again: what that process wrote is not known to this holder.
   */
  renew(holder: string): Promise<boolean>;
  /** Ends the lease before its time. */
  release(holder: string): Promise<void>;
  /** Rejects with UNAVAILABLE if the holder has the lease no more. */
  note(holder: string, changes: Partial<State>): Promise<void>;
}

/** After a node died, another one goes on this much later. */
export const runLeaseMs = 120_000;

/** What the catalog keeps of scheduled exports. */
export interface ExportState extends RunState {
  /** Through when the days of the last run that succeeded were complete. */
  readonly completeThroughMs: number | undefined;
  /** Where to, and in which format, when late facts were last looked for; empty: never. */
  readonly target: string;
  /** When that was, by the clock of the node, and by that of the store of the facts. */
  readonly lookedAtMs: number;
  readonly notedThroughMs: number;
}

export interface ExportDay {
  readonly accountId: number;
  /** Start of a UTC day (ms), or `everyDay`. */
  readonly day: number;
}

/** Stands for all days of an account. */
export const everyDay = -1;

export interface Exports extends ScheduledRuns<ExportState> {
  /** Days that are to be exported, whether or not they were before. */
  dueDays(accountId: number): Promise<number[]>;
  markDue(days: readonly ExportDay[]): Promise<void>;
  /** Rejects with UNAVAILABLE if the holder has the lease no more. */
  markDone(holder: string, days: readonly ExportDay[]): Promise<void>;
}
