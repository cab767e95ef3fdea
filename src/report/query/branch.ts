/** What the branches of a statement have in common: one group of each row's, or of the total's. */
import type { FactValues, ReadCount } from './fact-values.ts';
import type { FactsPlan } from './query-plan.ts';

export interface Branch {
  /** What it does not count is 0 in it. */
  readonly columns: readonly ReadCount[];
  readonly hasPass: boolean;
}

export interface EachBranch extends Branch {
  readonly isTotal: boolean;
}

export const playback = '(plays > 0 OR playMs > 0)';

/** The keys as columns `group0` and so on. */
export function groupsOf({ keys }: FactsPlan, isTotal: boolean): string[] {
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
  values: FactValues,
): string {
  const shown = keys.sql.map((_, index) => (isTotal ? `''` : `toString(${groupName(index)})`));
  return shownOf(isTotal ? '1' : '0', shown, columns, values);
}

export function shownOf(
  isTotal: string,
  keys: readonly string[],
  columns: readonly ReadCount[],
  values: FactValues,
): string {
  return [
    `${isTotal} AS isTotal`,
    ...keys.map((key, index) => `${key} AS key${index}`),
    ...columns.map((name) => `toUInt64(${values[name] ?? 0}) AS count_${name}`),
  ].join(', ');
}

export function groupBy(names: readonly string[]): string {
  return names.length === 0 ? '' : `\nGROUP BY ${names.join(', ')}`;
}
