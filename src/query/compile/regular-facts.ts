/** Whether a fact's view is counted by its play, in SQL over facts with a `viewNumber`. */
import { type FactQuery, tables, viewNumber } from '../../store/facts.ts';
import type { RegularViews } from '../plan/query-plan.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';

const { stretch, irregularView } = tables;

/**
 * Facts outside the checked days are not, nor are other facts of their views: these may be on a
 * checked day without a mark, if the view continued there a moment ago.
 */
export function isOfRegular({ unchecked }: RegularViews): string {
  const marked = `SELECT ${viewNumber} FROM ${irregularView.name}
    WHERE accountId = {accountId:UInt32}
      AND slot >= {regularFrom:UInt32} AND slot < {regularUntil:UInt32}`;
  if (unchecked.length === 0) return `viewNumber NOT IN (${marked})`;
  const { sql } = slotsWithin(unchecked, 'unchecked');
  return `NOT ${sql} AND viewNumber NOT IN (${marked}
    UNION ALL
    SELECT ${viewNumber} FROM ${stretch.name} WHERE accountId = {accountId:UInt32} AND ${sql})`;
}

export function parametersOfRegular({ days, unchecked }: RegularViews): FactQuery['parameters'] {
  return {
    regularFrom: Math.min(...days.map(({ fromMs }) => fromMs)) / 1_000,
    regularUntil: Math.max(...days.map(({ untilMs }) => untilMs)) / 1_000,
    ...slotsWithin(unchecked, 'unchecked').parameters,
  };
}
