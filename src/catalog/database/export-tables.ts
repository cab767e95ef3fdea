/** The tables of scheduled exports; part of tables.ts. */

export interface ExportTables {
  exportRuns: ExportRunsTable;
  exportDays: ExportDaysTable;
}

/** One row: how scheduled exports stand, and which process carries them out. */
export interface ExportRunsTable {
  id: number;
  /** Empty: none. */
  holder: string;
  leasedUntilMs: number;
  afterMs: number;
  failures: number;
  error: string | null;
  retryAtMs: number;
  succeededAtMs: number | null;
  completeThroughMs: number | null;
  target: string;
  lookedAtMs: number;
  notedThroughMs: number;
}

/** Days that are to be exported, of which some were before. */
interface ExportDaysTable {
  accountId: number;
  /** Start of a UTC day (ms); 0: all days. */
  day: number;
}
