/**
 * The facts that count, in SQL: each stretch's part in a slot once, and how much of it counts. As
 * in the sums, all parts of a view in a slot together have at most the slot's length: if they
 * claim more, the later stretches are cut first, and their media by the same share.
 */
import {
  allTold,
  type BoundArray,
  boundArray,
  type Counted,
  causeBelowCeiling,
  type FactQuery,
  mediaBelowCeiling,
  namedValueSql,
  playBelowCeiling,
  playMsBelowCeiling,
  tables,
  timeInSlot,
  toldOfFactNames,
} from '../../store/facts.ts';
import type { Span } from './range-cover.ts';
import { slotsWithin } from './slot-ranges.ts';

const { name: table, columns, orderBy } = tables.stretch;
const told: readonly string[] = [...allTold, ...toldOfFactNames];
const namedValues: Readonly<Record<string, string>> = namedValueSql;
const namesOfValues = Object.keys(namedValues);

/** The columns of facts that identify them, but for their account, and then their values. */
const keys = orderBy.filter((column) => column !== 'accountId' && column !== 'suspect');
const numbers = Object.keys(columns).filter(
  (column) =>
    column !== 'ceiling' &&
    column !== 'leastSystem' &&
    !told.includes(column) &&
    !(orderBy as readonly string[]).includes(column),
);
export const factColumns: readonly string[] = [...keys, ...numbers, ...namesOfValues];
/** SQL of what counts of a fact. */
const counted: Readonly<Record<string, (value: string, ceiling: string) => string>> = {
  plays: playBelowCeiling,
  playMs: playMsBelowCeiling,
  cause: causeBelowCeiling,
  mediaMs: mediaBelowCeiling,
  mediaBits: mediaBelowCeiling,
};

/** With those suspects that have any playback in the spans. */
export interface FactsSource extends Counted {
  readonly accountId: number;
  readonly spans: readonly Span[];
  /** Those that are read (`columnsNamed`); default: all. */
  readonly columns?: readonly string[];
}

/** What is less before an instant than in all. */
const timed = ['plays', 'playMs', 'laterMs', 'cause'];
const basic: readonly string[] = [...keys, ...timed];

/**
 * The columns of facts that some SQL names, with those that every reader of facts needs. The engine
 * takes a third less time to plan a statement without the others.
 */
export function columnsNamed(...sql: readonly string[]): readonly string[] {
  const named = namedIn(factColumns, sql);
  return factColumns.filter((column) => basic.includes(column) || named.includes(column));
}

/** Those names that some SQL has as words. */
export function namedIn<Name extends string>(names: readonly Name[], sql: readonly string[]) {
  const words = new Set(sql.flatMap((text) => text.match(/\w+/g) ?? []));
  return names.filter((name) => words.has(name));
}

export interface CountedSource extends FactsSource {
  /** Starts of slots (ms) in which some view claims more time than there is. */
  readonly overclaimed: readonly number[];
}

/** Which facts of the spans are read. */
interface FactsRead {
  /** Conditions on columns that identify a fact, each after ` AND `. */
  readonly further?: string;
  /** Another of them, which holds for few facts: of all others nothing else is read. */
  readonly first?: string;
  /** Begins the parameters of the spans. */
  readonly name?: string;
  /** Whether a fact may come once of each part of the table that has it. */
  readonly mayRepeat?: boolean;
}

/** Adding up so many facts takes no longer than telling the views of one apart. */
const addedPerDistinguished = 3;
/** Nor does merging so many take longer than planning a statement that merges but a few of them. */
const mergedPerDistinguished = 4;

/** Whether the facts of the spans are so many that reading them, or only adding up, is costly. */
export function areMany(
  { spans, manyFactsMs = Number.POSITIVE_INFINITY }: FactsSource,
  isAddition = false,
): boolean {
  return totalMs(spans) > manyFactsMs * (isAddition ? addedPerDistinguished : 1);
}

/** Whether all are merged, not only those of slots in several parts of the table. */
function mergesThem({ spans, mergesAll, manyFactsMs }: FactsSource): boolean {
  if (mergesAll || manyFactsMs === undefined) return mergesAll;
  return totalMs(spans) <= manyFactsMs * mergedPerDistinguished;
}

function totalMs(spans: readonly Span[]): number {
  return spans.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}

export function parametersOfFacts({ accountId, spans, accepted, erased }: FactsSource) {
  const suspects = accepted.length > 0 ? acceptedSuspects(accepted).parameters : {};
  const ofErased = erased?.parameters;
  return { accountId, ...slotsWithin(spans).parameters, ...suspects, ...ofErased };
}

export function parametersOfCounted(source: CountedSource) {
  const { overclaimed } = source;
  const slots = overclaimed.length > 0 ? overclaimedSlots(overclaimed).parameters : {};
  return { ...parametersOfFacts(source), ...slots };
}

/**
 * The time of facts is below their ceilings. For a stretch under several accepted suspects, the
 * largest values count.
 */
export function factsWithin(
  source: FactsSource,
  { further = '', first = '', name = '', mayRepeat = false }: FactsRead = {},
): string {
  const { spans, accepted, erased, mergesAll, columns = factColumns } = source;
  const left = erased ? ` AND NOT (${erased.sql})` : '';
  const ofSlots = slotsWithin(spans, name).sql;
  const within = `WHERE accountId = {accountId:UInt32} AND ${ofSlots}${further}`;
  const where = (first && `PREWHERE ${first} `) + within + left;
  if (accepted.length === 0) {
    const own = columns.map((column) => {
      const sql = counted[column]?.(column, 'ceiling') ?? namedValues[column];
      return sql === undefined ? column : `${sql} AS ${column}`;
    });
    const select = `SELECT ${own.join(', ')} FROM ${table}`;
    const usual = `${where} AND suspect = ''`;
    if (mayRepeat && !mergesAll) return `${select} ${usual}`;
    if (mergesThem(source) || first !== '') return `${select} FINAL ${usual}`;
    const scattered = scatteredSlots(within);
    return `${select} ${usual} AND slot NOT IN ${scattered}
  UNION ALL
  ${select} FINAL ${usual} AND slot IN ${scattered}`;
  }
  const largest = numbers.map((column) => {
    const own = `max(${column})`;
    return `${counted[column]?.(own, 'max(ceiling)') ?? own} AS ${column}`;
  });
  const best = told.map((column) => `max(${column}) AS best_${column}`);
  const ofBest = columns.map((column) => {
    const sql = namedValues[column];
    return sql === undefined ? column : `${sql.replaceAll('told', 'best_told')} AS ${column}`;
  });
  const { sql } = acceptedSuspects(accepted);
  return `SELECT ${ofBest.join(', ')} FROM (
  SELECT ${[...keys, ...largest, ...best].join(', ')} FROM ${table}
  ${where} AND (suspect = '' OR suspect IN ${sql})
  GROUP BY ${keys.join(', ')}
  )`;
}

/**
 * Slots with facts in several parts of the table. A part has each fact once, so parts must be
 * merged only in these slots; merging takes ten times as long as reading. The engine's own way to
 * separate parts fails if three or more touch each other.
 */
function scatteredSlots(where: string): string {
  return `(SELECT slot FROM ${table} ${where}
    GROUP BY slot HAVING min(_part_index) != max(_part_index))`;
}

function acceptedSuspects(accepted: readonly string[]): BoundArray {
  return boundArray('accepted', 'String', accepted);
}

/** The same with `countedMs`, the time that counts. */
export function countedFacts(source: CountedSource, further = ''): string {
  const all = (source.columns ?? factColumns).join(', ');
  const usual = (facts: string) => `SELECT ${all}, playMs AS countedMs FROM (\n  ${facts}\n)`;
  if (source.overclaimed.length === 0) return usual(factsWithin(source, { further }));
  const isOverclaimed = `slot IN ${overclaimedSlots(source.overclaimed).sql}`;
  return `${usual(factsWithin(source, { further: `${further} AND NOT (${isOverclaimed})` }))}
UNION ALL
SELECT ${all}, toUInt32(${timeInSlot}) AS countedMs FROM (
  ${factsWithin(source, { further: `${further} AND ${isOverclaimed}` })}
)`;
}

/** The same, whichever slots are overclaimed: of few facts, but all of a view. */
export function countedOfFew(source: FactsSource, read: FactsRead): string {
  const { columns = factColumns } = source;
  return `SELECT ${columns.join(', ')}, toUInt32(${timeInSlot}) AS countedMs FROM (
  ${factsWithin(source, read)}
)`;
}

/**
 * For slots that are cut, only what was played before an instant (ms) within them. Of some facts it
 * is not known when in their slot they were played: they are taken to begin with it. `isCounted`:
 * `facts` have `countedMs`.
 */
export function selectBegun(
  facts: string,
  { cut, columns = factColumns }: Pick<FactsSource, 'columns'> & { readonly cut: readonly Span[] },
  isCounted: boolean,
): string {
  if (cut.length === 0) return facts;
  const others = columns.filter((column) => !timed.includes(column)).join(', ');
  const { slots, instants } = cutSlots(cut);
  const seconds = 'toUnixTimestamp(slot)';
  const counted = isCounted ? ', countedMs AS claimedMs' : '';
  const countedLeft = isCounted ? ', least(claimedMs, leftMs) AS countedMs' : '';
  return `SELECT ${others}, if(beganMs < cutMs, allPlays, 0) AS plays,
  if(beganMs < cutMs, anyCause, 0) AS cause, leftMs AS playMs,
  toUInt32(beyondMs + allMs - leftMs) AS laterMs${countedLeft}
FROM (
SELECT ${others}, plays AS allPlays, cause AS anyCause, playMs AS allMs, laterMs AS beyondMs${counted},
  toInt64(greatest(startMs, ${seconds} * 1000)) AS beganMs,
  transform(${seconds}, ${slots.sql}, ${instants.sql}, toUInt64(${2n ** 62n})) AS cutMs,
  toUInt32(least(toInt64(playMs), greatest(toInt64(cutMs) - beganMs, 0))) AS leftMs
FROM (
${facts}
)
)`;
}

export function parametersOfCut(cut: readonly Span[]): FactQuery['parameters'] {
  if (cut.length === 0) return {};
  const { slots, instants } = cutSlots(cut);
  return { ...slots.parameters, ...instants.parameters };
}

function cutSlots(cut: readonly Span[]) {
  const starts = cut.map(({ fromMs }) => fromMs / 1_000);
  const ends = cut.map(({ untilMs }) => untilMs);
  return {
    slots: boundArray('cutSlots', 'UInt32', starts),
    instants: boundArray('cutInstants', 'UInt64', ends),
  };
}

function overclaimedSlots(overclaimed: readonly number[]): BoundArray {
  const seconds = overclaimed.map((slotStart) => slotStart / 1_000);
  return boundArray('overclaimed', 'UInt32', seconds);
}

/** When a fact's part of its stretch began (ms); 0 where the start is not known. */
export const partFromMs =
  'toInt64(if(startMs = 0, 0, greatest(startMs, toUnixTimestamp(slot) * 1000)))';
