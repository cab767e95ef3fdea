/** What the catalog keeps of scheduled exports: one of all nodes carries them out. */

/** How they stand, the same for all nodes. Instants are in milliseconds. */
export interface ExportState {
  /** The next run is the first of the schedule after this. */
  readonly afterMs: number;
  /** How often the run that is due has failed, why last, and when it is attempted again. */
  readonly failures: number;
  readonly error: string | undefined;
  readonly retryAtMs: number;
  /** Of the last run that succeeded: its end, and through when its days were complete. */
  readonly succeededAtMs: number | undefined;
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

export interface Exports {
  /** Undefined: no export was ever scheduled. */
  state(): Promise<ExportState | undefined>;
  /**
   * Takes the lease of all exports, or renews it, for `exportLeaseMs`; undefined if another process
   * has it. The first call begins the schedule.
   */
  hold(holder: string): Promise<ExportState | undefined>;
  /** Ends the lease before its time. */
  release(holder: string): Promise<void>;
  /** Rejects with UNAVAILABLE if the holder has the lease no more; `markDone` too. */
  note(holder: string, changes: Partial<ExportState>): Promise<void>;
  /** Days that are to be exported, whether or not they were before. */
  dueDays(accountId: number): Promise<number[]>;
  markDue(days: readonly ExportDay[]): Promise<void>;
  markDone(holder: string, days: readonly ExportDay[]): Promise<void>;
}

/** After a node died, another one goes on this much later. */
export const exportLeaseMs = 120_000;
