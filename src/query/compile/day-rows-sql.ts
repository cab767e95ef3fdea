/** Compiles rows of counts of days into rows of an answer. */
import { tables, valueSql } from '../../store/facts.ts';
import {
  inPass,
  isOfWaits,
  playback,
  playbackOrWaits,
  type ReadCount,
  type ValueOf,
  valueOfDays,
} from '../plan/counts.ts';
import type { AudienceDays, FactsPlan } from '../plan/query-plan.ts';
import { toSpans } from '../ranges/counted-days.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { selectCounts, selectIrregular } from './audience-days-sql.ts';
import {
  type Branch,
  type EachBranch,
  groupBy,
  groupNames,
  listGroups,
  rowsAndTotal,
  shownOfEach,
} from './branch.ts';

interface DaysBranch extends Branch {
  readonly isFirstPass: boolean;
  /** Of rows. */
  readonly limit: number;
}

export function branchesOfDays(
  plan: FactsPlan,
  days: AudienceDays,
  branch: DaysBranch,
): readonly string[] {
  const { isFirstPass, limit } = branch;
  const each = (select: (isTotal: boolean) => string) => rowsAndTotal(plan, limit, select);
  if (days.rowsAre === 'values') {
    if (!isFirstPass) return [];
    return each((isTotal) => selectDays(plan, days, { ...branch, isTotal }));
  }
  return [
    ...(isFirstPass
      ? [
          ...each((isTotal) => selectSome(plan, days, { ...branch, isTotal })),
          selectDaysRead(plan, branch),
        ]
      : []),
    ...(days.rowsAre === 'folders' && plan.counts.includes('viewers')
      ? [
          ...each((isTotal) => selectViewersRead(plan, days, { ...branch, isTotal })),
          ...(isFirstPass ? [selectViewersOfWhole(plan, days, branch)] : []),
        ]
      : []),
  ];
}

/** Rows of total may have no playback; other rows exist only with playback. */
function selectDays(plan: FactsPlan, { grouping }: AudienceDays, branch: EachBranch): string {
  const { isTotal } = branch;
  const hasWaits = plan.counts.some(isOfWaits);
  const shown = shownOfEach(plan, branch, valueOfDays(hasWaits));
  const isAny = hasWaits ? playbackOrWaits : playback;
  return `SELECT ${shown}
FROM (
SELECT ${[...listGroups(plan, isTotal), '*'].join(', ')}
FROM (
${selectCounts(isTotal ? 'total' : grouping, shown, isAny)}
)${isTotal ? '' : `\nWHERE ${isAny}`}
)${groupBy(groupNames(plan, isTotal))}`;
}

const only = (counted: ReadCount, sql: string): ValueOf => {
  return (name) => (name === counted ? sql : '0');
};

/**
 * Rows and their total from some rows of counts: those of one value, or of the videos in folders. A
 * video that the catalog does not have is in neither.
 */
function selectSome(plan: FactsPlan, { grouping, rowsAre }: AudienceDays, branch: EachBranch) {
  const { keys, conditions } = plan;
  const { isTotal } = branch;
  const hasWaits = plan.counts.some(isOfWaits);
  const ofDays = valueOfDays(hasWaits);
  const value: ValueOf = (name) => {
    if (name === 'days') return '0';
    // Views without a viewer are viewers of their own. A folder's days do not give the others.
    return name === 'viewers' && rowsAre === 'folders' ? 'sum(views - knownViews)' : ofDays(name);
  };
  const isAny = hasWaits ? playbackOrWaits : playback;
  const shown = shownOfEach(plan, branch, value);
  return `SELECT ${shown}
FROM (
SELECT ${[...listGroups(plan, isTotal), '*'].join(', ')}
FROM (
${selectCounts(grouping, shown, isAny)}
)
WHERE ${[isAny, ...conditions.sql, ...keys.conditions].join(' AND ')}
)${groupBy(groupNames(plan, isTotal))}`;
}

export function selectDaysRead(plan: FactsPlan, branch: Branch): string {
  return `SELECT ${shownOfEach(plan, { ...branch, isTotal: true }, only('days', 'count()'))}
FROM (
${selectCounts('total')}
)`;
}

/**
 * Viewers of views without a mark are on one day, and none of their views has a mark, so each day
 * is counted separately. Each view has a fact with its play, and no other is read. For the total,
 * only days with views in no folder are read: the counts of other days give it.
 */
function selectViewersRead(plan: FactsPlan, days: AudienceDays, branch: EachBranch): string {
  const { isTotal, hasPass } = branch;
  const groups = groupNames(plan, isTotal);
  const day = 'toStartOfDay(slot)';
  const conditions = [
    'accountId = {accountId:UInt32}',
    slotsWithin(toSpans(days.days), 'day').sql,
    "suspect = '' AND plays > 0 AND bitShiftRight(viewer, 62) = 1",
    ...(isTotal ? [`${day} IN (${daysPartlyInFolders(plan, days)})`] : []),
    `viewer NOT IN (${selectIrregular('viewer')})`,
    ...(hasPass ? [inPass('viewer')] : []),
    ...plan.keys.conditions,
  ];
  return `SELECT ${shownOfEach(plan, branch, only('viewers', 'sum(dayViewers)'))}
FROM (
SELECT ${[...groups, 'uniqExact(viewer) AS dayViewers'].join(', ')}
FROM (
SELECT ${[...listGroups(plan, isTotal), `${day} AS day`, `${valueSql.viewer} AS viewer`].join(', ')}
FROM ${tables.stretch.name}
WHERE ${conditions.join(' AND ')}
)${groupBy([...groups, 'day'])}
)${groupBy(groups)}`;
}

/**
 * For days on which all views are in folders. Views without a viewer are in the folders' counts.
 */
function selectViewersOfWhole(plan: FactsPlan, days: AudienceDays, branch: Branch): string {
  const viewers = 'sum(viewers - (views - knownViews))';
  return `SELECT ${shownOfEach(plan, { ...branch, isTotal: true }, only('viewers', viewers))}
FROM (
${selectCounts('total', viewers)}
)
WHERE slot NOT IN (${daysPartlyInFolders(plan, days)})`;
}

function daysPartlyInFolders({ keys }: FactsPlan, { grouping }: AudienceDays): string {
  return `SELECT slot FROM (
SELECT slot, views AS dayViews, 0 AS ownViews FROM (${selectCounts('total', 'views')})
UNION ALL
SELECT slot, 0, views FROM (${selectCounts(grouping, 'views')}) WHERE ${keys.conditions.join(' AND ')}
)
GROUP BY slot HAVING sum(dayViews) != sum(ownViews)`;
}
