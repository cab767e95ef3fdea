/** What the branches of a statement have in common: one group of each row's, or of the total's. */
import type { ReadCount, ValueOf } from '../plan/counts.ts';
import type { FactsPlan } from '../plan/query-plan.ts';

export interface Branch {
  /** What it does not count is 0 in it. */
  readonly columns: readonly ReadCount[];
  readonly hasPass: boolean;
}

/** Of rows, and of their total with `hasTotal`. */
export interface RowsBranch extends Branch {
  readonly hasTotal: boolean;
}

export interface EachBranch extends Branch {
  readonly isTotal: boolean;
}

/** A branch for the rows, if there are keys, and one for their total. */
export function rowsAndTotal(
  { keys }: FactsPlan,
  limit: number,
  select: (isTotal: boolean) => string,
): string[] {
  return [...(keys.sql.length > 0 ? [`${select(false)}\nLIMIT ${limit}`] : []), select(true)];
}

/** The keys as columns `group0` and so on. */
export function listGroups({ keys }: FactsPlan, isTotal: boolean): string[] {
  return isTotal ? [] : keys.sql.map((sql, index) => `${sql} AS ${groupName(index)}`);
}

export function groupNames({ keys }: FactsPlan, isTotal: boolean): string[] {
  return isTotal ? [] : keys.sql.map((_, index) => groupName(index));
}

const groupName = (index: number) => `group${index}`;

/** The columns of a branch, over those of `groupNames`. */
export function shownOfEach(
  { keys }: FactsPlan,
  { isTotal, columns }: EachBranch,
  value: ValueOf,
): string {
  const shown = keys.sql.map((_, index) => (isTotal ? `''` : `toString(${groupName(index)})`));
  return listShown(isTotal ? '1' : '0', shown, columns, value);
}

export function listShown(
  isTotal: string,
  keys: readonly string[],
  columns: readonly ReadCount[],
  value: ValueOf,
): string {
  return [
    `${isTotal} AS isTotal`,
    ...keys.map((key, index) => `${key} AS key${index}`),
    ...columns.map((name) => `toUInt64(${value(name)}) AS count_${name}`),
  ].join(', ');
}

export function groupBy(names: readonly string[]): string {
  return names.length === 0 ? '' : `\nGROUP BY ${names.join(', ')}`;
}

/**
 * The keys as one column, from which rows and their total are made at once; undefined without keys.
 * As one group, because ROLLUP would also make rows for some of the keys.
 */
export function rolledUp({ keys }: FactsPlan, hasTotal: boolean) {
  if (keys.sql.length === 0) return undefined;
  const isTuple = keys.sql.length > 1;
  const keyAt = (index: number) => (isTuple ? `tupleElement(groups, ${index + 1})` : 'groups');
  return {
    groups: `${isTuple ? `tuple(${keys.sql.join(', ')})` : keys.sql.join('')} AS groups`,
    isTotal: hasTotal ? 'grouping(groups) = 1' : '0',
    shown: keys.sql.map((_, index) => `if(isTotal, '', toString(${keyAt(index)}))`),
    groupBy: `\nGROUP BY ${hasTotal ? 'ROLLUP(groups)' : 'groups'}`,
  };
}
