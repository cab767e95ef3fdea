/**
 * The sums of slots, from their facts: the finest sums first, in which no view has more than its
 * bound, then all others from them. That is half the work of grouping the facts themselves.
 */
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, FactQuery } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import {
  allKept,
  epochOfAccount,
  filterAccepted,
  isOfSuspects,
  type Kept,
  keptBy,
  parametersOfEpochs,
  parametersOfSuspects,
} from '../sql/verdicts.ts';
import { valueSql } from '../tables/audience.ts';
import { stretchKey, tables } from '../tables/schema.ts';
import {
  combineParts,
  contentColumns,
  daySuffix,
  findGrouping,
  firstVersion,
  groupingNames,
  keyColumns,
  type SumName,
  storedSum,
  sumNames,
  sums,
  unpackSum,
  versionOfSum,
  versionsOfEpoch,
  withVersion,
} from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';
import { bindNotes, isOfNotes, type Notes } from './touched-days.ts';

const { stretch, touched, playbackSum } = tables;

/** What counts: only facts of no suspect, or those of accepted suspects as well. */
export type Counting = 'usual' | 'accepted';

/** A statement over the facts that fulfil a condition, which may need parameters. */
interface SumSlots {
  readonly name: string;
  readonly condition: string;
  /** Stores the sums of facts that fulfil the condition. */
  readonly sql: ForCounting;
  readonly parameters: FactQuery['parameters'];
}

/** Sums what counts by the verdicts. */
export async function sumSlots(
  store: FactStore,
  { name, condition, sql, parameters: given }: SumSlots,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const which = { condition, parameters: given };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  await store.command({ name, sql: textOf(sql), parameters });
}

/** Which form of a statement over these facts counts by the verdicts, and all its parameters. */
export async function chooseCounting(
  store: FactStore,
  { condition, parameters }: Pick<SumSlots, 'condition' | 'parameters'>,
  verdicts: CurrentVerdicts,
): Promise<{ textOf: (sql: ForCounting) => string; parameters: FactQuery['parameters'] }> {
  // Few of all that were ever accepted have facts in these slots, and only those are bound.
  const accepted =
    verdicts.accepted.length === 0
      ? []
      : filterAccepted(
          verdicts,
          await store.select<SuspectName>({
            name: 'find suspects of slots',
            sql: `SELECT DISTINCT accountId, suspect FROM ${stretch.name}
      WHERE suspect != '' AND ${condition}`,
            parameters,
          }),
        );
  const bound = { ...parametersOfSuspects(accepted), ...parametersOfEpochs(verdicts) };
  const kept = keptBy(verdicts);
  const counting = accepted.length === 0 ? 'usual' : 'accepted';
  return {
    textOf: (sql) => (kept === allKept ? sql[counting] : sql.of(counting, kept)),
    parameters: { ...parameters, ...bound, ...kept.parameters },
  };
}

const finestKeys: readonly (keyof typeof playbackSum.columns)[] = keyColumns;
const slotKeys = ['accountId', 'slot', ...finestKeys];
const viewKeys = ['accountId', 'slot', ...contentColumns, 'view'];

const largest = (name: SumName) => `largest_${name}`;
const ofView = (name: SumName) => `view_${name}`;
const finest = (name: SumName) => `finest_${name}`;
const whole = (name: SumName) => `whole_${name}`;

const valuesOf = (sql: (name: SumName) => string) => sumNames.map(sql).join(', ');

const byView = (name: SumName) => `by_view_${name}`;

const systems = (told: string) =>
  (['os', 'osVersion'] as const).map(
    (name) => `${valueSql[name].replaceAll('toldSystem', told)} AS ${name}`,
  );

/** The finest sums of what counts. */
const finestSums: Readonly<Record<Counting, (condition: string) => string>> = {
  // The views are taken apart only where one has several stretches. Grouping all facts by view
  // costs the engine four times as much (docs/decisions/suspects-and-epochs.md).
  usual: (condition) => `SELECT ${slotKeys.join(', ')},
        ${valuesOf((name) => `${sumOfArrays(name)} AS ${finest(name)}`)}
      FROM (
        SELECT accountId, slot, ${[...contentColumns, ...systems('toldSystem')].join(', ')},
          groupArrayIf(view, suspect = '') AS views,
          ${valuesOf((name) => `${arraysOfViews(name)} AS ${byView(name)}`)}
        FROM ${stretch.name} FINAL
        WHERE ${condition}
        GROUP BY ${slotKeys.join(', ')}
      )`,
  // Of a stretch under several suspects the largest counts, once.
  accepted: (condition) => `SELECT ${slotKeys.join(', ')},
        ${valuesOf((name) => `${sums[name].combine}(${ofView(name)}) AS ${finest(name)}`)}
      FROM (
        SELECT ${[...viewKeys, ...systems('bestSystem')].join(', ')},
          ${valuesOf((name) => `${sumOfView(name)} AS ${ofView(name)}`)}
        FROM (
          WITH suspect = '' OR ${isOfSuspects} AS isCounted
          SELECT ${stretchKey.join(', ')}, ${largestCounted('toldSystem')} AS bestSystem,
            ${valuesOf((name) => `${sums[name].ofStretch(largestCounted)} AS ${largest(name)}`)}
          FROM ${stretch.name}
          WHERE ${condition}
          GROUP BY ${stretchKey.join(', ')}
        )
        GROUP BY ${viewKeys.join(', ')}, os, osVersion
      )
      GROUP BY ${slotKeys.join(', ')}`,
};

/** A ceiling is the stretch's, under whatever suspect it was stored. */
function largestCounted(column: string): string {
  return column === 'ceiling' ? `max(${column})` : `maxIf(${column}, isCounted)`;
}

const ofFact = (name: SumName) => storedSum(name).ofStretch((column) => column);

function sumOfView(name: SumName): string {
  const { combine, mostOfView } = storedSum(name);
  const sum = `${combine}(${largest(name)})`;
  return mostOfView === undefined ? sum : `least(${sum}, ${mostOfView})`;
}

/** Of a sum with a bound for each view: what its stretches contribute, beside their views. */
function arraysOfViews(name: SumName): string {
  const { combine, mostOfView } = storedSum(name);
  if (mostOfView === undefined) return `${combine}If(${ofFact(name)}, suspect = '')`;
  return `groupArrayIf(toUInt64(${ofFact(name)}), suspect = '')`;
}

function sumOfArrays(name: SumName): string {
  const { mostOfView } = storedSum(name);
  if (mostOfView === undefined) return byView(name);
  const bounded = (parts: string) => `arraySum(part -> least(part, ${mostOfView}), ${parts})`;
  // Sorting takes one pass, as they mostly come in order; a set of them takes longer.
  return `if(length(arrayCompact(arraySort(views))) = length(views), ${bounded(byView(name))},
          ${bounded(`arrayReduce('sumMap', arrayMap(view -> [view], views),
            arrayMap(part -> [part], ${byView(name)})).2`)})`;
}

/** One bit a column, the first the highest, set if the grouping does not group by it. */
const bitsOfGroupings = groupingNames.map((name) => {
  const { groupBy } = findGrouping(name);
  return keyColumns.reduce((bits, column) => bits * 2 + (groupBy.includes(column) ? 0 : 1), 0);
});

const groupingOfRow = `transform(grouping(${finestKeys.join(', ')}),
        [${bitsOfGroupings.join(', ')}],
        [${groupingNames.map((name) => `'${name}'`).join(', ')}], '')`;

const groupingSets = groupingNames.map(
  (name) => `(${['accountId', 'slot', ...findGrouping(name).groupBy].join(', ')})`,
);

const stored = (name: SumName) => `stored_${name}`;
const sumKeys = playbackSum.orderBy.map((key) => (key === 'grouping' ? 'slotGrouping' : key));
const otherKeys = playbackSum.orderBy
  .filter((key) => key !== 'accountId' && key !== 'grouping')
  .join(', ');

/**
 * A sum that has shrunk since it was stored gets the next version. One that was stored by a later
 * verdict than this one's stays: what is made by an earlier epoch never takes its place.
 */
const nextVersion = (name: SumName) => {
  const own = versionOfSum(stored(name));
  return `if(${own} < firstVersion OR ${own} >= firstVersion + ${versionsOfEpoch}, firstVersion,
        ${own} + (${unpackSum(stored(name))} > ${whole(name)}))`;
};
const values = listColumns(playbackSum).map((column) => {
  if (column === 'grouping') return 'slotGrouping';
  const name = column as SumName;
  return column in sums ? `${withVersion(nextVersion(name), whole(name))} AS ${name}` : column;
});

/** The groups that each fact is in, but for its system. */
const groupsOfFact = groupingNames.map((name) => {
  const { groupBy } = findGrouping(name);
  const [videoId, packageId] = (['videoId', 'packageId'] as const).map((column) =>
    (groupBy as readonly string[]).includes(column) ? column : 'toUInt32(0)',
  );
  return `('${name}', ${videoId}, ${packageId})`;
});
const groupingType = playbackSum.columns.grouping.type.replaceAll("'", "\\'");

/**
 * Stored sums that may have shrunk: those that have a fact for which other systems were told, whose
 * time was taken back, or that is of a suspect.
 */
const mayHaveShrunk = (condition: string) => `(accountId, grouping, videoId, packageId, slot) IN (
          SELECT DISTINCT accountId, CAST(part.1, '${groupingType}'), part.2, part.3, slot
          FROM ${stretch.name} FINAL
          ARRAY JOIN [${groupsOfFact.join(', ')}] AS part
          WHERE ${condition} AND (leastSystem != toldSystem OR ceiling > 0 OR suspect != ''))`;

/**
 * Selects rows of `playback_sum`, in all groupings by slot, and zero sums for what is stored and
 * has no facts any more. `isStored`: of which stored sums it is known that they may have shrunk.
 */
export function selectSlotSums(
  condition: string,
  counting: Counting,
  isStored = mayHaveShrunk(condition),
): string {
  return `WITH ${firstVersion(epochOfAccount)} AS firstVersion
    SELECT ${values.join(', ')}
    FROM (
      SELECT ${sumKeys.join(', ')},
        ${valuesOf((name) => `max(made_${name}) AS ${whole(name)}, max(${name}) AS ${stored(name)}`)}
      FROM (
        SELECT accountId, ${groupingOfRow} AS slotGrouping, ${otherKeys},
          ${valuesOf((name) => `toUInt64(${sums[name].combine}(${finest(name)})) AS made_${name}, toUInt128(0) AS ${name}`)}
        FROM (
      ${finestSums[counting](condition)}
        )
        GROUP BY GROUPING SETS (
      ${groupingSets.join(',\n      ')})
        UNION ALL
        SELECT accountId, toString(grouping), ${otherKeys},
          ${valuesOf((name) => `toUInt64(0), ${name}`)}
        FROM ${playbackSum.name}
        WHERE ${isStored}
      )
      GROUP BY ${sumKeys.join(', ')}
    )
    WHERE firstVersion > 0
      OR ${sumNames.map((name) => `${whole(name)} > 0 OR ${stored(name)} > 0`).join(' OR ')}`;
}

const valuesWithDays = listColumns(playbackSum).map((column) => {
  if (column === 'grouping') return 'part.1 AS partGrouping';
  if (column === 'slot') return 'part.2 AS partSlot';
  return column in sums ? combineParts(column as SumName, column) : column;
});
const namesOfPart: Readonly<Record<string, string>> = {
  grouping: 'partGrouping',
  slot: 'partSlot',
};
const keysWithDays = playbackSum.orderBy.map((key) => namesOfPart[key] ?? key);

/** Makes of each sum of a slot a `part` for its grouping and slot, and one for its day. */
export const withDays = `ARRAY JOIN [(slotGrouping, slot),
      (concat(slotGrouping, '${daySuffix}'), toStartOfDay(slot))] AS part`;

/** Stores what a statement like that of `selectSlotSums` selects, and the days it makes. */
export function storeWithDays(slotSums: string): string {
  return `INSERT INTO ${playbackSum.name}
      (${listColumns(playbackSum).join(', ')})
    SELECT ${valuesWithDays.join(', ')}
    FROM (
    ${slotSums}
    )
    ${withDays}
    GROUP BY ${keysWithDays.join(', ')}`;
}

/** Settings of the statements that `selectSlotSums` is part of. */
export const slotSumSettings = {
  force_grouping_standard_compatibility: 1,
  do_not_merge_across_partitions_select_final: 1,
} as const;
export const slotSumSettingsSql = Object.entries(slotSumSettings)
  .map(([name, value]) => `${name} = ${value}`)
  .join(',\n      ');

/** Rows of one insert that are stored at once, or not at all, for each year. */
const mostRowsAtOnce = 4_000_000;
export const storeAtOnceSettingsSql = `${slotSumSettingsSql},
      min_insert_block_size_rows = ${mostRowsAtOnce}`;

/** A statement in each form; `of` makes it where something is erased. */
export interface ForCounting extends Readonly<Record<Counting, string>> {
  of(counting: Counting, kept: Kept): string;
}

export function forEachCounting(of: ForCounting['of']): ForCounting {
  return { usual: of('usual', allKept), accepted: of('accepted', allKept), of };
}

/* Sums every slot of the notes again, in all groupings by slot. */

const isOfTouchedSlots = `(accountId, slot) IN (
            SELECT accountId, slot FROM ${touched.name}
            WHERE ${isOfNotes})`;

/** With one thread, since it runs again and again beside the beacons that touch the slots. */
export const sumTouchedSql = forEachCounting(
  (counting, kept) => `INSERT INTO ${playbackSum.name}
      (${listColumns(playbackSum).join(', ')})
    ${selectSlotSums(isOfTouchedSlots + kept.ofFacts, counting)}
    SETTINGS ${slotSumSettingsSql}, max_threads = 1`,
);

export async function sumTouched(
  store: FactStore,
  notes: Notes,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const statement = { name: 'sum slots', condition: isOfTouchedSlots, sql: sumTouchedSql };
  await sumSlots(store, { ...statement, parameters: bindNotes(notes) }, verdicts);
}

/* Sums by UTC day beside those by slot, for questions without an hour: a year is 365 rows per
 * system and not 35,040. They are made from the sums by slot, less often, so that a busy day is not
 * summed again twice a second; until its sums are made, its slots are read instead.
 */

export async function sumDays(store: FactStore, days: readonly AccountDay[]): Promise<void> {
  const parameters = parametersOfDays(days);
  await store.command({ name: 'sum days', sql: sumDaysSql, parameters });
}

/** The groupings by slot. */
export const slotGroupings = groupingNames.map((name) => `'${name}'`).join(', ');
const keysOfSlots = playbackSum.orderBy.map((key) =>
  key === 'grouping' ? 'toString(grouping) AS slotGrouping' : key,
);
const largestOfSlot = sumNames.map((name) => `max(${name}) AS ${largest(name)}`);

const dayValues = listColumns(playbackSum).map((column) => {
  if (column === 'grouping') return `concat(slotGrouping, '${daySuffix}')`;
  if (column === 'slot') return 'toStartOfDay(slot) AS day';
  return column in sums ? combineParts(column as SumName, largest(column as SumName)) : column;
});
const namesOfDay: Readonly<Record<string, string>> = { grouping: 'slotGrouping', slot: 'day' };
const dayKeys = playbackSum.orderBy.map((key) => namesOfDay[key] ?? key);

const sumDaysSql = `INSERT INTO ${playbackSum.name}
      (${listColumns(playbackSum).join(', ')})
    SELECT ${dayValues.join(', ')}
    FROM (
      SELECT ${keysOfSlots.join(', ')},
        ${largestOfSlot.join(', ')}
      FROM ${playbackSum.name}
      WHERE grouping IN (${slotGroupings})
        AND ${isOfDays}
      GROUP BY ${playbackSum.orderBy.join(', ')}
    )
    GROUP BY ${dayKeys.join(', ')}`;
