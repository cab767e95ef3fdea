import { expect, test } from 'vitest';
import type { ExportState } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { readSchedule } from '../../lib/time/schedule.ts';
import { lookAtExport } from './stores.ts';

const schedule = readSchedule('30 4 * * *');
assert(schedule, 'it is an expression');
const at = (text: string) => Date.parse(`2026-11-${text}Z`);
const state: ExportState = {
  ...{ afterMs: at('22T04:30:02'), failures: 0, error: undefined, retryAtMs: 0 },
  ...{ succeededAtMs: at('22T04:31:00'), completeThroughMs: at('22T00:00:00') },
  ...{ target: '/exports parquet', lookedAtMs: 0, notedThroughMs: 0 },
};

test.each<[string, ExportState | undefined, string, string]>([
  ['23T02:00:00', undefined, 'warning', 'The scheduled export has not begun yet'],
  [
    '22T05:00:00',
    { ...state, succeededAtMs: undefined },
    'ok',
    'The first scheduled export is due at 2026-11-23T04:30:00.000Z',
  ],
  ['23T02:31:00', state, 'ok', 'The last scheduled export ended 22 hours ago'],
  // Six hours are given to a run.
  ['23T10:30:00', state, 'ok', 'The last scheduled export ended 29 hours ago'],
  ['23T11:30:00', state, 'error', 'The scheduled export is overdue for 7 hours'],
  [
    '23T05:00:00',
    { ...state, failures: 2, error: 'The bucket refuses: AccessDenied' },
    'error',
    'The scheduled export failed 2 times in a row, last: The bucket refuses: AccessDenied',
  ],
])('at %s with %j', (now, given, level, what) => {
  const found = lookAtExport(schedule, given, at(now));
  expect(found).toEqual([{ level, what, do: expect.any(String) }]);
});
