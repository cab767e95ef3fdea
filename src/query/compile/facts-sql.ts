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
  distinguishesViews,
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
  columnsNamed,
  countedFacts,
  factsWithin,
  parametersOfCounted,
  parametersOfCut,
  selectBegun,
} from '../ranges/counted-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { factsBesideDays, hasFactsBeside, parametersOfAudienceDays } from './audience-days-sql.ts';
import { type Branch, listShown, type RowsBranch, rolledUp } from './branch.ts';
import { branchesOfDays, selectDaysRead } from './day-rows-sql.ts';
import {
  lengthOfVideo,
  listRanges,
  type Ranges,
  rangesBesideDays,
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
  const { ofFacts, ofDays } = compileBranches(plan, limit, pass);
  return statement(plan, [...ofFacts, ...ofDays], pass);
}

/** A statement whose rows are added to those of others. */
export interface FactsPart {
  readonly query: FactQuery;
  /** Whether its total has the number of days that were read as counts. */
  readonly hasDays: boolean;
  /** Whether it gives the same whenever it is asked, unless days are counted again. */
  readonly isSettled: boolean;
}

/** What `compileFacts` reads, with what counts of days alone give by itself. */
export function compileInParts(plan: FactsPlan, limit: number, pass?: Pass): FactsPart[] {
  const { audienceDays, counts } = plan;
  const { ofFacts, ofDays } = compileBranches(plan, limit, pass);
  const isFirstPass = (pass?.index ?? 0) === 0;
  const part = (branches: readonly string[], hasDays: boolean, isOfDays: boolean): FactsPart => {
    const all = statement(plan, branches, pass);
    const query = isOfDays ? { ...all, isCostly: false } : all;
    return { query, hasDays, isSettled: isOfDays && !('askedAtMs' in query.parameters) };
  };
  if (audienceDays === undefined) return [part(ofFacts, false, false)];
  if (audienceDays.rest.length === 0) {
    return [part([...ofFacts, ...ofDays], isFirstPass, true)];
  }
  // What it counts of views beside the days has to be of the same counting of them.
  const isBesideViews = counts.some((name) => distinguishesViews(name) || isOfViews(name));
  const branch = { columns: columnsRead(plan), hasPass: pass !== undefined };
  const live = [...ofFacts, ...(isBesideViews ? [selectDaysRead(plan, branch)] : [])];
  return [
    ...(ofDays.length > 0 ? [part(ofDays, isFirstPass, true)] : []),
    part(live, isBesideViews, false),
  ];
}

function statement(plan: FactsPlan, branches: readonly string[], pass: Pass | undefined) {
  const { lengths, keys, conditions, clock, counts, askedAtMs } = plan;
  const sql = compileUnion(plan, branches);
  const named = new Set([...sql.matchAll(/\{(\w+):/g)].map(([, name]) => name));
  const parameters = Object.fromEntries(
    Object.entries({
      ...parametersOfCounted(plan),
      ...parametersOfCut(plan.cut),
      ...(plan.regular ? parametersOfRegular(plan.regular) : {}),
      ...(plan.audienceDays ? parametersOfAudienceDays(plan.audienceDays) : {}),
      ...(plan.audienceDays ? slotsWithin(plan.spans, 'start').parameters : {}),
      ...(counts.some(isOfViews) ? lengthOfVideo(lengths).parameters : {}),
      ...keys.parameters,
      ...conditions.parameters,
      ...clockParameters(clock),
      ...(askedAtMs !== undefined && { askedAtMs }),
      ...(pass && { pass: pass.index, passes: pass.of }),
    }).filter(([name]) => named.has(name)),
  );
  const read = { ...plan, spans: plan.audienceDays?.rest ?? plan.spans };
  const isCostly = areMany(read, counts.every(isAdditive) && !counts.some(isOfWaits));
  return { name: 'query facts', sql, parameters, isCostly };
}

function columnsRead({ counts, audienceDays }: FactsPlan): ReadCount[] {
  return [
    'facts',
    ...(audienceDays ? (['days'] as const) : []),
    ...counts,
    ...(counts.includes('viewers') ? basisCounts : []),
    ...(counts.some(isOfWaits) ? (['viewsInRange'] as const) : []),
  ];
}

function compileBranches(plan: FactsPlan, limit: number, pass: Pass | undefined) {
  const { counts, audienceDays } = plan;
  const hasWaits = counts.some(isOfWaits);
  const hasTotal = hasWaits || audienceDays !== undefined || !counts.every(isAdditive);
  const columns = columnsRead(plan);
  const branch = { columns, hasPass: pass !== undefined };
  const isFirstPass = (pass?.index ?? 0) === 0;
  // The total is a row too.
  const limited = (select: string | undefined) =>
    select === undefined ? [] : [`${select}\nLIMIT ${limit + 1}`];
  const facts = { ...branch, hasTotal };
  const ofViews = (ranges: readonly Ranges[]) =>
    counts.some(isOfViews) && ranges.length > 0 ? selectViews(plan, branch, ranges) : undefined;
  if (audienceDays === undefined) {
    const all = [selectFacts(plan, facts), ofViews(listRanges(plan))];
    return { ofFacts: all.flatMap(limited), ofDays: [] };
  }
  const { live, settled } = rangesBesideDays(plan, audienceDays);
  const isBeside = hasFactsBeside(audienceDays, counts);
  const hasStarts = isFirstPass && counts.some(isRanked);
  const ofFacts = [
    isBeside ? selectFacts(plan, facts) : undefined,
    ofViews(live),
    hasStarts ? selectStarts(plan, branch) : undefined,
  ];
  const ofDays = [
    ofViews(settled),
    isFirstPass && counts.some(isOfViews) ? selectSeenTogether(plan, branch) : undefined,
  ];
  return {
    ofFacts: ofFacts.flatMap(limited),
    ofDays: [
      ...ofDays.flatMap(limited),
      ...branchesOfDays(plan, audienceDays, { ...branch, isFirstPass, limit }),
    ],
  };
}

function compileUnion(plan: FactsPlan, branches: readonly string[]): string {
  const { keys } = plan;
  const [alone, ...others] = branches;
  if (alone !== undefined && others.length === 0) return alone;
  const columns = columnsRead(plan);
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
  const shown = listShown(rows?.isTotal ?? '1', rows?.shown ?? [], columns, counted);
  const groups = rows ? [rows.groups] : [];
  const ofMedia = /\b(beforeMs|wholeMs|mediaFrom|mediaUntil)\b/.test(shown) ? mediaOfPart : [];
  const values = [`${viewNumber} AS viewNumber`, ...isRegular, ...ofMedia];
  const source = { ...plan, columns: columnsNamed(shown, ...groups, ...values, ...all) };
  const read = audienceDays
    ? factsBesideDays(source, audienceDays)
    : selectBegun(countedFacts(source), source, true);
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
  return `SELECT ${listShown(rows?.isTotal ?? '1', rows?.shown ?? [], columns, valueOfStarts)}
FROM (
SELECT ${values.join(', ')}
FROM (
${selectBegun(factsWithin(source, { name: 'start' }), source, false)}
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
