/** Makes the sums of whole days again, without storing them, and compares them with the stored. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, SumDifference } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { epochOfAccount, type Kept } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';
import {
  combineParts,
  daySuffix,
  firstVersion,
  groupingNames,
  type SumName,
  sumNames,
  sums,
  unpackSum,
  versionOfSum,
  versionsOfEpoch,
  withVersion,
} from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';
import {
  chooseCounting,
  type ForCounting,
  forEachCounting,
  selectSlotSums,
  slotGroupings,
  slotSumSettings,
  storeAtOnceSettingsSql,
  storeWithDays,
  sumSlots,
  withDays,
} from './sum-insert.ts';

/** Of one account's day; a day with more is reported with as many. */
export const mostOfDay = 1_000;
export const statementTimeoutSeconds = 600;

const { playbackSum } = tables;
const identity = playbackSum.orderBy.filter((key) => key !== 'grouping' && key !== 'slot');
const dayGroupings = groupingNames.map((name) => `'${name}${daySuffix}'`).join(', ');
/** Whether a row of `playback_sum` is by day. */
const isByDay = `grouping IN (${dayGroupings})`;

/** What each row of the comparison has of a sum: one of these, and nothing of the others. */
const sides = {
  /** From the facts. */
  made: (name: SumName) => `made_${name}`,
  stored: (name: SumName) => `stored_${name}`,
  /** Of a day: from the stored sums of its slots, for the version alone. */
  base: (name: SumName) => `base_${name}`,
};
type Side = keyof typeof sides;

const namesOf = (sql: (name: SumName) => string) => sumNames.map(sql).join(', ');
const valuesOf = (own: Side, value: (name: SumName) => string) =>
  (Object.keys(sides) as Side[])
    .map((side) =>
      namesOf((name) => `${side === own ? value(name) : 'toUInt128(0)'} AS ${sides[side](name)}`),
    )
    .join(', ');
const keys = ['partGrouping', 'partSlot', ...identity].join(', ');
const partKeys = `part.1 AS partGrouping, part.2 AS partSlot, ${identity.join(', ')}`;

const made = (...[counting, kept]: Parameters<ForCounting['of']>) => `SELECT ${partKeys},
        ${valuesOf('made', (name) => combineParts(name, name))}
      FROM (
      ${selectSlotSums(isOfDays + kept.ofFacts, counting)}
      )
      ${withDays}
      GROUP BY ${keys}`;

const stored = `SELECT toString(grouping) AS partGrouping, slot AS partSlot,
        ${identity.join(', ')},
        ${valuesOf('stored', (name) => `max(${name})`)}
      FROM ${playbackSum.name}
      WHERE ${isOfDays}
      GROUP BY ${playbackSum.orderBy.join(', ')}`;

const largest = (name: SumName) => `largest_${name}`;
const base = `SELECT concat(slotGrouping, '${daySuffix}') AS partGrouping,
        toStartOfDay(ownSlot) AS partSlot, ${identity.join(', ')},
        ${valuesOf('base', (name) => combineParts(name, largest(name)))}
      FROM (
        SELECT toString(grouping) AS slotGrouping, slot AS ownSlot, ${identity.join(', ')},
          ${namesOf((name) => `max(${name}) AS ${largest(name)}`)}
        FROM ${playbackSum.name}
        WHERE grouping IN (${slotGroupings}) AND ${isOfDays}
        GROUP BY ${playbackSum.orderBy.join(', ')}
      )
      GROUP BY ${keys}`;

/**
 * The version that a stored sum must not be above, or sums made from now on would never count: that
 * of its parts, or any of the account's epoch.
 */
const highestVersion = (name: SumName) =>
  `if(partGrouping IN (${dayGroupings}), ${versionOfSum(`max(${sides.base(name)})`)},
        ${firstVersion(`1 + ${epochOfAccount}`)} - 1)`;

const checkSql = forEachCounting(
  (counting, kept) => `SELECT accountId,
      toUnixTimestamp(toStartOfDay(partSlot)) * 1000 AS day, toUnixTimestamp(partSlot) * 1000 AS at,
      partGrouping, toString((${identity.join(', ')})) AS about,
      ${namesOf(
        (name) => `${unpackSum(`max(${sides.made(name)})`)} AS expected_${name},
      ${unpackSum(`max(${sides.stored(name)})`)} AS found_${name},
      toInt64(ceil(greatest(toInt64(${versionOfSum(`max(${sides.stored(name)})`)})
        - toInt64(${highestVersion(name)}), 0) / ${versionsOfEpoch})) AS ahead_${name}`,
      )}
    FROM (
      ${made(counting, kept)}
      UNION ALL
      ${stored}
      UNION ALL
      ${base}
    )
    GROUP BY ${keys}
    HAVING ${sumNames
      .map((name) => `expected_${name} != found_${name} OR ahead_${name} > 0`)
      .join(' OR ')}
    ORDER BY day, at, partGrouping, about
    LIMIT ${mostOfDay} BY accountId, day`,
);

type Row = Readonly<Record<string, string | number>>;

/** The sums of these days that differ from what they are made of, at most 1,000 of each day. */
export async function checkSums(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<SumDifference[]> {
  const ofDays = parametersOfDays(days);
  const { textOf, parameters } = await chooseCounting(
    store,
    { condition: isOfDays, parameters: ofDays },
    verdicts,
  );
  const settings = { ...slotSumSettings, max_threads: 1 };
  const found = await store.select<Row>(
    { name: 'check sums', sql: textOf(checkSql), parameters },
    { timeoutSeconds: statementTimeoutSeconds, settings },
  );
  return found.map(toDifference);
}

function toDifference(row: Row): SumDifference {
  const read = (prefix: string) =>
    Object.fromEntries(sumNames.map((name) => [name, Number(row[`${prefix}_${name}`])])) as Record<
      SumName,
      number
    >;
  return {
    accountId: Number(row.accountId),
    day: Number(row.day),
    atMs: Number(row.at),
    grouping: String(row.partGrouping),
    about: String(row.about),
    expected: read('expected'),
    found: read('found'),
    epochsAhead: Math.max(...Object.values(read('ahead'))),
  };
}

/* Stores the sums of whole days again, and zero sums where there are no facts. */

/** Zero for each day that is stored, of the current epoch: below any sum of that epoch. */
const zeroDays = (kept: Kept) =>
  `SELECT ${listColumns(playbackSum)
    .map((column) => {
      if (column === 'grouping') return 'toString(grouping) AS storedGrouping';
      return column in sums
        ? `${withVersion(firstVersion(epochOfAccount), 'toUInt64(0)')} AS ${column}`
        : column;
    })
    .join(', ')}
      FROM ${playbackSum.name}
      WHERE ${isByDay}${kept.ofSums} AND ${isOfDays} AND ${epochOfAccount} > 0`;

const repairSql = forEachCounting(
  (counting, kept) => `${storeWithDays(
    selectSlotSums(
      isOfDays + kept.ofFacts,
      counting,
      `NOT (${isByDay})${kept.ofSums} AND ${isOfDays}`,
    ),
  )}
    UNION ALL
    ${zeroDays(kept)}
    SETTINGS ${storeAtOnceSettingsSql}`,
);

export async function repairSums(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const parameters = parametersOfDays(days);
  const statement = { name: 'repair sums', condition: isOfDays, sql: repairSql, parameters };
  await sumSlots(store, statement, verdicts);
}
