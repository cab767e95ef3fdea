import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { isTime } from '../../vocabulary/dimensions.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { mostRows } from '../../wire/questions/audience-messages.ts';
import { keysPerDimension } from '../labels/dimension-sql.ts';
import { type Calendar, listIntervals } from '../labels/time-labels.ts';
import type { Query } from '../parse/query.ts';
import { noCounts } from '../plan/counts.ts';
import type { CountedKeys } from './row-labels.ts';

const rowsOfPortion = 2_000;

/**
 * Adds the intervals without playback: each to every combination of the other dimensions that has
 * playback somewhere in the range. Attributes have no list to fill in from.
 */
export async function fillZero(
  rows: readonly CountedKeys[],
  { dimensions, filters }: Pick<Query, 'dimensions' | 'filters'>,
  calendar: Calendar,
): Promise<readonly CountedKeys[]> {
  const time = dimensions.find(isTime);
  if (!time) return rows;
  const before = dimensions.slice(0, dimensions.indexOf(time));
  const from = before.reduce((keys, name) => keys + keysPerDimension(name), 0);
  const count = keysPerDimension(time);
  const intervals = await listIntervals(time, calendar, filters);
  const known = new Set<string>();
  const others = new Map<string, readonly string[]>();
  if (dimensions.length === 1) others.set(JSON.stringify([]), []);
  await forPortions(rows, { size: rowsOfPortion, takeTurn: nextTurn }, (portion) => {
    for (const { keys } of portion) {
      known.add(JSON.stringify(keys));
      const rest = keys.toSpliced(from, count);
      others.set(JSON.stringify(rest), rest);
    }
  });
  if (others.size * intervals.length > mostRows) throw tooManyRows(others.size * intervals.length);
  const filled = [...rows];
  let made = 0;
  for (const rest of others.values()) {
    for (const interval of intervals) {
      made += 1;
      if (made % rowsOfPortion === 0) await nextTurn();
      const keys = rest.toSpliced(from, 0, ...interval);
      if (!known.has(JSON.stringify(keys))) filled.push({ keys, counts: noCounts });
    }
  }
  return filled;
}

export function tooManyRows(rows: number | string, parameter = 'dimensions'): Fault {
  const detail = `would have ${rows} rows; an answer has ${mostRows} at most`;
  return new Fault('TOO_MANY_ROWS', `The answer ${detail}`, {
    errors: [{ parameter, detail }],
  });
}
