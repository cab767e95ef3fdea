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
   * Takes the lease of all runs, or renews it, for `runLeaseMs`; undefined if another process has
   * it. The first call begins the schedule.
   */
  hold(holder: string): Promise<State | undefined>;
  /** Ends the lease before its time. */
  release(holder: string): Promise<void>;
  /** Rejects with UNAVAILABLE if the holder has the lease no more. */
  note(holder: string, changes: Partial<State>): Promise<void>;
}

/** After a node died, another one goes on this much later. */
export const runLeaseMs = 120_000;
