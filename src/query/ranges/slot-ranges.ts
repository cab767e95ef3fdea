/** The conditions on slots, in SQL. */
import { daySuffix, findGrouping, type GroupingName, type KeyColumn } from '../../store/facts.ts';
import type { Cover, Span } from './range-cover.ts';

/** The condition that a slot begins within one of the spans; `name` begins its parameters. */
export function slotsWithin(spans: readonly Span[], name = '') {
  const parts = spans.map(
    (_, index) => `slot >= {${name}from${index}:UInt32} AND slot < {${name}until${index}:UInt32}`,
  );
  const named = spans.flatMap(({ fromMs, untilMs }, index) => [
    [`${name}from${index}`, fromMs / 1_000],
    [`${name}until${index}`, untilMs / 1_000],
  ]);
  return {
    sql: parts.length === 1 ? `${parts[0]}` : `(${parts.join(' OR ')})`,
    parameters: Object.fromEntries(named) as Readonly<Record<string, number>>,
  };
}

/** They come before the slot in the order of sums. */
const ids: readonly KeyColumn[] = ['videoId', 'packageId'];

/**
 * The condition for sums of an account, in a grouping and in a cover that is not empty: by day over
 * whole days, by slot elsewhere. It is one condition, so that a question reads the table once: on a
 * cluster each reading may see another moment, and so another part of a verdict. Slots and days do
 * not overlap, so `slot` tells their sums apart.
 */
export function sumsWithin(grouping: GroupingName, { slots, days }: Cover) {
  const { groupBy } = findGrouping(grouping);
  // A grouping without an id has 0 there; the condition lets the index reach the slots.
  const unused = ids.filter((id) => !groupBy.includes(id)).map((id) => `${id} = 0`);
  const [bySlot, byDay] = [slotsWithin(slots, 'slots_'), slotsWithin(days, 'days_')];
  const parts = [
    ...(slots.length > 0 ? [`grouping = '${grouping}' AND ${bySlot.sql}`] : []),
    ...(days.length > 0 ? [`grouping = '${grouping}${daySuffix}' AND ${byDay.sql}`] : []),
  ];
  const ofCover = parts.length === 1 ? parts : [`(${parts.join(' OR ')})`];
  return {
    sql: ['accountId = {accountId:UInt32}', ...unused, ...ofCover].join(' AND '),
    parameters: { ...bySlot.parameters, ...byDay.parameters },
  };
}
