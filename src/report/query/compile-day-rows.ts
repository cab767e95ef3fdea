/** Compiles rows of counts of days into rows of an answer. */
import { tables } from '../../facts/facts.ts';
import { spansOf } from '../counted-days.ts';
import { slotsWithin } from '../slots-within.ts';
import {
  type EachBranch,
  groupBy,
  groupNames,
  groupsOf,
  playback,
  type RowsBranch,
  rolledUp,
  rowsAndTotal,
  shownOf,
  shownOfEach,
} from './branch.ts';
import { selectCounts, selectIrregular, valuesOfDays } from './compile-audience-days.ts';
import { type FactValues, inPass } from './fact-values.ts';
import type { AudienceDays, FactsPlan } from './query-plan.ts';

interface DaysBranch extends RowsBranch {
  readonly isFirstPass: boolean;
  /** Of rows. */
  readonly limit: number;
}

export function branchesOfDays(
  plan: FactsPlan,
  days: AudienceDays,
  branch: DaysBranch,
): readonly string[] {
  const { isFirstPass } = branch;
  const each = (select: (isTotal: boolean) => string) => rowsAndTotal(plan, branch, select);
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
      ? [selectViewersOfFolders(plan, days, branch)]
      : []),
  ];
}

/** Rows of total may be without playback, and the others are not there without. */
function selectDays(plan: FactsPlan, { grouping }: AudienceDays, branch: EachBranch): string {
  const { isTotal } = branch;
  return `SELECT ${shownOfEach(plan, branch, valuesOfDays)}
FROM (
SELECT ${[...groupsOf(plan, isTotal), '*'].join(', ')}
FROM (
${selectCounts(isTotal ? 'total' : grouping)}
)${isTotal ? '' : `\nWHERE ${playback}`}
)${groupBy(groupNames(plan, isTotal))}`;
}

const valuesOfSome: FactValues = { ...valuesOfDays, days: '0' };
/** Views without a viewer are viewers of their own. Of the others a folder's days do not tell. */
const valuesOfFolders: FactValues = { ...valuesOfSome, viewers: 'sum(views - knownViews)' };

/**
 * Rows and their total of some rows of counts: those of one value, or of the videos in folders. One
 * that the catalog does not know is in neither.
 */
function selectSome(plan: FactsPlan, { grouping, rowsAre }: AudienceDays, branch: EachBranch) {
  const { keys, conditions } = plan;
  const { isTotal } = branch;
  const values = rowsAre === 'folders' ? valuesOfFolders : valuesOfSome;
  return `SELECT ${shownOfEach(plan, branch, values)}
FROM (
SELECT ${[...groupsOf(plan, isTotal), '*'].join(', ')}
FROM (
${selectCounts(grouping)}
)
WHERE ${[playback, ...conditions.sql, ...keys.conditions].join(' AND ')}
)${groupBy(groupNames(plan, isTotal))}`;
}

function selectDaysRead(plan: FactsPlan, branch: RowsBranch): string {
  return `SELECT ${shownOfEach(plan, { ...branch, isTotal: true }, { days: 'count()' })}
FROM (
${selectCounts('total')}
)`;
}

/**
 * Viewers of views without a mark are on one day, and no view of theirs has one: each day is told
 * apart by itself. Each view has a fact with its play, and no other is read.
 */
function selectViewersOfFolders(
  plan: FactsPlan,
  { days }: AudienceDays,
  { columns, hasPass, hasTotal }: DaysBranch,
): string {
  const rows = rolledUp(plan, hasTotal);
  const conditions = [
    'accountId = {accountId:UInt32}',
    slotsWithin(spansOf(days), 'day').sql,
    "suspect = '' AND plays > 0 AND bitShiftRight(viewer, 62) = 1",
    `viewer NOT IN (SELECT viewer FROM (${selectIrregular}))`,
    ...(hasPass ? [inPass('viewer')] : []),
    ...plan.keys.conditions,
  ];
  return `SELECT ${shownOf('isWhole', rows?.shown ?? [], columns, { viewers: 'sum(dayViewers)' })}
FROM (
SELECT groups, grouping(groups) = 1 AS isWhole, uniqExact(viewer) AS dayViewers
FROM (
SELECT ${[rows?.groups ?? "'' AS groups", 'toStartOfDay(slot) AS day', 'viewer'].join(', ')}
FROM ${tables.stretch.name}
WHERE ${conditions.join(' AND ')}
)
GROUP BY GROUPING SETS ((groups, day), (day))
)
GROUP BY isWhole, groups`;
}
