/** What the catalog keeps of scheduled exports. */
import type { RunState, ScheduledRuns } from './runs.ts';

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
