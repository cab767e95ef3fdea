/** Compiles a plan that is answered from facts into one SELECT with every value bound. */
import {
  type FactQuery,
  hasQuality,
  isStarted,
  mediaOfPart,
  tables,
  viewNumber,
} from '../../store/facts.ts';
import {
  basisCounts,
  isAdditive,
  isOfViews,
  isOfWaits,
  isRanked,
  playback,
  playbackOrWait,
  type ReadCount,
  valueBesideDays,
  valueOfFacts,
  valueOfStarts,
} from '../plan/counts.ts';
import type { FactsPlan, RegularViews } from '../plan/query-plan.ts';
import {
  areMany,
  beginningsOf,
  columnsNamed,
  countedFacts,
  factsWithin,
  parametersOfCounted,
  parametersOfCut,
} from '../ranges/counted-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { factsBesideDays, hasFactsBeside, parametersOfAudienceDays } from './audience-days-sql.ts';
import { type Branch, type RowsBranch, rolledUp, shownOf } from './branch.ts';
import { branchesOfDays } from './day-rows-sql.ts';
import {
  lengthOfVideo,
  readsRanges,
  readsSeen,
  selectSeenTogether,
  selectViews,
} from './views-sql.ts';

const { stretch, irregularView } = tables;

/** Views and viewers are each counted in one of `of` passes, so that not all are held at once. */
export interface Pass {
  readonly index: number;
  readonly of: number;
}

/**
 * Rows, and one that `isTotal` unless the total of each count is the sum of the rows. A statement
 * sees the table as of one moment, however often it reads it.
 */
export function compileFacts(plan: FactsPlan, limit: number, pass?: Pass): FactQuery {
  const { lengths, keys, conditions, clock, counts, askedAtMs } = plan;
  return {
    name: 'query facts',
    sql: sqlOf(plan, limit, pass),
    parameters: {
      ...parametersOfCounted(plan),
      ...parametersOfCut(plan.cut),
      ...(plan.regular ? parametersOfRegular(plan.regular) : {}),
      ...(plan.audienceDays ? parametersOfAudienceDays(plan.audienceDays) : {}),
      ...(plan.audienceDays ? slotsWithin(plan.spans, 'start').parameters : {}),
      ...(counts.some(isOfViews) ? lengthOfVideo(lengths).parameters : {}),
      ...keys.parameters,
      ...conditions.parameters,
      ...clockParameters(clock),
      ...(askedAtMs !== undefined && counts.some(isOfWaits) && { askedAtMs }),
      ...(pass && { pass: pass.index, passes: pass.of }),
    },
    isCostly: areMany({ ...plan, spans: plan.audienceDays?.rest ?? plan.spans }),
  };
}

function sqlOf(plan: FactsPlan, limit: number, pass: Pass | undefined): string {
  const { keys, counts, audienceDays } = plan;
  const hasWaits = counts.some(isOfWaits);
  const hasTotal = hasWaits || audienceDays !== undefined || !counts.every(isAdditive);
  const columns: ReadCount[] = [
    'facts',
    ...(audienceDays ? (['days'] as const) : []),
    ...counts,
    ...(counts.includes('viewers') ? basisCounts : []),
    ...(hasWaits ? (['viewsInRange'] as const) : []),
  ];
  const branch = { columns, hasPass: pass !== undefined };
  // The total is a row too.
  const facts = `${selectFacts(plan, { ...branch, hasTotal })}\nLIMIT ${limit + 1}`;
  const isFirstPass = (pass?.index ?? 0) === 0;
  const ofViews = readsRanges(plan) ? [`${selectViews(plan, branch)}\nLIMIT ${limit + 1}`] : [];
  const ofViewsOfDays =
    isFirstPass && readsSeen(plan)
      ? [`${selectSeenTogether(plan, branch)}\nLIMIT ${limit + 1}`]
      : [];
  const ofDays = audienceDays
    ? branchesOfDays(plan, audienceDays, { ...branch, isFirstPass, limit })
    : [];
  const isOfDaysAlone = audienceDays !== undefined && !hasFactsBeside(audienceDays, counts);
  const ofStarts =
    isFirstPass && audienceDays && counts.some(isRanked)
      ? [`${selectStarts(plan, branch)}\nLIMIT ${limit + 1}`]
      : [];
  const branches = [
    ...(isOfDaysAlone ? [] : [facts]),
    ...[ofViews, ofViewsOfDays, ofStarts, ofDays].flat(),
  ];
  const [alone, ...others] = branches;
  if (alone !== undefined && others.length === 0) return alone;
  const union = branches.map((one) => `(${one})`).join('\nUNION ALL\n');
  const rowKeys = ['isTotal', ...keys.sql.map((_, index) => `key${index}`)];
  const sums = columns.map((name) => `sum(count_${name}) AS whole_${name}`);
  const renamed = columns.map((name) => `whole_${name} AS count_${name}`);
  return `SELECT ${[...rowKeys, ...renamed].join(', ')}
FROM (
SELECT ${[...rowKeys, ...sums].join(', ')}
FROM (
${union}
)
GROUP BY ${rowKeys.join(', ')}
)`;
}

/** The total is made from the rows' sets: the facts are read and distinguished once for both. */
function selectFacts(plan: FactsPlan, branch: RowsBranch): string {
  const { keys, conditions, counts, regular, audienceDays } = plan;
  const { hasTotal, columns, hasPass } = branch;
  const hasWaits = counts.some(isOfWaits);
  const all = [hasWaits ? playbackOrWait : playback, ...conditions.sql, ...keys.conditions];
  const isRegular = regular ? [`${isOfRegular(regular)} AS isRegular`] : [];
  const rows = rolledUp(plan, hasTotal);
  const counted = audienceDays
    ? valueBesideDays({ hasPass, hasWaits })
    : valueOfFacts({ hasPass, byPlays: regular !== undefined, hasWaits });
  const shown = shownOf(rows?.isTotal ?? '1', rows?.shown ?? [], columns, counted);
  const groups = rows ? [rows.groups] : [];
  const ofMedia = /\b(beforeMs|wholeMs|mediaFrom|mediaUntil)\b/.test(shown) ? mediaOfPart : [];
  const values = [`${viewNumber} AS viewNumber`, ...isRegular, ...ofMedia];
  const source = { ...plan, columns: columnsNamed(shown, ...groups, ...values, ...all) };
  const read = audienceDays
    ? factsBesideDays(source, audienceDays)
    : beginningsOf(countedFacts(source), source, true);
  // TRICKY: not in a WITH: in a union that of the first part is in force in all others.
  return `SELECT ${shown}
FROM (
SELECT ${[...groups, '*', ...values].join(', ')}
FROM (
${read}
)
WHERE ${all.join(' AND ')}
)${rows?.groupBy ?? ''}`;
}

/** Beside counts of days, which have no percentiles: those of all starts of the range. */
function selectStarts(plan: FactsPlan, { columns }: Branch): string {
  const { keys, conditions } = plan;
  const rows = rolledUp(plan, true);
  const all = [hasQuality, isStarted, ...conditions.sql, ...keys.conditions];
  const values = [...(rows ? [rows.groups] : []), 'waitMs', 'quality', 'cause', 'outcome'];
  const source = { ...plan, columns: columnsNamed(...values, ...all) };
  return `SELECT ${shownOf(rows?.isTotal ?? '1', rows?.shown ?? [], columns, valueOfStarts)}
FROM (
SELECT ${values.join(', ')}
FROM (
${beginningsOf(factsWithin(source, { name: 'start' }), source, false)}
)
WHERE ${all.join(' AND ')}
)${rows?.groupBy ?? ''}`;
}

/**
 * Whether a fact's view is counted by its play, over facts with a `viewNumber`. Facts outside the
 * checked days are not, nor are other facts of their views: these may be on a checked day without a
 * mark, if the view continued there a moment ago.
 */
function isOfRegular({ unchecked }: RegularViews): string {
  const marked = `SELECT ${viewNumber} FROM ${irregularView.name}
    WHERE accountId = {accountId:UInt32}
      AND slot >= {regularFrom:UInt32} AND slot < {regularUntil:UInt32}`;
  if (unchecked.length === 0) return `viewNumber NOT IN (${marked})`;
  const { sql } = slotsWithin(unchecked, 'unchecked');
  return `NOT ${sql} AND viewNumber NOT IN (${marked}
    UNION ALL
    SELECT ${viewNumber} FROM ${stretch.name} WHERE accountId = {accountId:UInt32} AND ${sql})`;
}

function parametersOfRegular({ days, unchecked }: RegularViews): FactQuery['parameters'] {
  return {
    regularFrom: Math.min(...days.map(({ fromMs }) => fromMs)) / 1_000,
    regularUntil: Math.max(...days.map(({ untilMs }) => untilMs)) / 1_000,
    ...slotsWithin(unchecked, 'unchecked').parameters,
  };
}
