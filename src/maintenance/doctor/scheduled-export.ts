/** The scheduled export: whether its last run was in time, and went well. */
import type { ExportState } from '../../catalog/catalog.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import { exportOverdueMs } from '../export/export-job.ts';
import { ageOf, error, type Finding, ok, warning } from './finding.ts';

const longOverdueMs = 6 * 3_600_000;

/** `state`: undefined if no service has run with a schedule yet. */
export function lookAtExport(
  schedule: Schedule,
  state: ExportState | undefined,
  nowMs: number,
): Finding[] {
  if (state === undefined) {
    const remedy = 'Start the service with EXPORT_SCHEDULE and EXPORT_TO';
    return [warning('The scheduled export has not begun yet', remedy)];
  }
  const { failures, error: reason, succeededAtMs } = state;
  if (failures > 0) {
    const what = `The scheduled export failed ${failures} times in a row, last: ${reason}`;
    return [error(what, 'Look at EXPORT_TO, its room, and the rights there; the log has more')];
  }
  const overdueMs = exportOverdueMs(schedule, state, nowMs);
  if (overdueMs > longOverdueMs) {
    const what = `The scheduled export is overdue for ${ageOf(overdueMs)}`;
    return [error(what, 'A node that sums must run with EXPORT_SCHEDULE; see its log')];
  }
  if (succeededAtMs === undefined) {
    const first = new Date(schedule.after(state.afterMs)).toISOString();
    return [ok(`The first scheduled export is due at ${first}`)];
  }
  return [ok(`The last scheduled export ended ${ageOf(nowMs - succeededAtMs)} ago`)];
}
