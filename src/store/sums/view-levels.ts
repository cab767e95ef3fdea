/**
 * Levels views: what is known of a view belongs to all of its facts, whichever of its beacons told
 * it. Where the facts of a touched view differ, the best that was told is written to all of them
 * (docs/decisions/views-have-one-value.md). Of the beginnings of each of their stretches one counts.
 * Both may be repeated, in any order and by any node.
 *
 * Notes of the slots are written before and after: who ends in between finds the first ones again,
 * and other nodes see by the second ones that there is something to sum.
 */
import { randomInt } from 'node:crypto';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, FactQuery } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { isOfSuspects, type Kept } from '../sql/verdicts.ts';
import { leastPlaysToCheck } from '../sql/views.ts';
import { allTold as told } from '../tables/audience.ts';
import { stretchKey, tables } from '../tables/schema.ts';
import { daySuffix, type GroupingName, sumOf } from '../tables/sums.ts';
import { type Counting, chooseCounting, forEachCounting } from './sum-insert.ts';
import { isOfNotes, type Notes, parametersOf } from './touched-days.ts';
import { columnsOfBeginnings, factKeys, selectUnsettledBeginnings } from './view-beginnings.ts';

const { stretch, touched, playbackSum } = tables;

const viewKeys = ['accountId', 'packageId', 'videoId', 'view'];

/** How far from a touched slot other facts of its views are looked for at once. */
const nearDays = [-3, -2, -1, 0, 1, 2, 3];
const slotsPerInsert = 1_000;

interface Scope {
  /** Facts that were touched. */
  readonly touched: string;
  /** Facts among which others of their views are looked for. */
  readonly near: string;
}

/** Accounts whose views are looked for on all days: the check of views does so for the others. */
const isSmall = (accounts: string) => `accountId NOT IN (
      SELECT accountId FROM (
        SELECT accountId, slot, ${sumOf('max(plays)')} AS playsOfDay FROM ${playbackSum.name}
        WHERE grouping = '${'account' satisfies GroupingName}${daySuffix}'
          AND videoId = 0 AND packageId = 0 AND accountId IN (${accounts})
        GROUP BY accountId, slot)
      GROUP BY accountId HAVING sum(playsOfDay) >= ${leastPlaysToCheck})`;

const slotsOfNotes = `SELECT accountId, slot FROM ${touched.name} WHERE ${isOfNotes}`;
const ofNotes: Scope = {
  touched: `(accountId, slot) IN (${slotsOfNotes})`,
  near: `accountId IN (SELECT accountId FROM (${slotsOfNotes})) AND (
      (accountId, toStartOfDay(slot)) IN (
        SELECT accountId, toStartOfDay(slot) + toIntervalDay(arrayJoin([${nearDays.join(', ')}]))
        FROM (${slotsOfNotes}))
      OR ${isSmall(`SELECT accountId FROM (${slotsOfNotes})`)})`,
};
const ofDays: Scope = { touched: isOfDays, near: 'accountId IN {accounts:Array(UInt32)}' };

const countedBy = (counting: Counting, { ofFacts }: Kept) =>
  `${counting === 'usual' ? `suspect = ''` : `(suspect = '' OR ${isOfSuspects})`}${ofFacts}`;

/** SQL of the facts of touched views; another condition may follow. */
const factsOfViews = ({ touched, near }: Scope, counted: string) => `${stretch.name}
          PREWHERE view IN (SELECT view FROM ${stretch.name} WHERE ${touched} AND ${counted})
          WHERE ${near} AND ${counted}`;

/**
 * Selects touched views whose facts differ or, if asked to, whose stretches have several beginnings.
 * If parts of the table have not been merged, earlier states of a fact count as other facts.
 */
function selectDiffering(scope: Scope, counted: string, which: 'differ' | 'any'): string {
  const hash = `cityHash64(${told.join(', ')})`;
  return `SELECT ${viewKeys.join(', ')} FROM (
            SELECT ${viewKeys.join(', ')}, min(${hash}) AS least, max(${hash}) AS most,
              min(startMs) != max(startMs) AS beganTwice
            FROM ${factsOfViews(scope, counted)}
            GROUP BY ${viewKeys.join(', ')}, stretch
          )
          GROUP BY ${viewKeys.join(', ')}
          HAVING min(least) != max(most)${which === 'any' ? ' OR max(beganTwice)' : ''}`;
}

/**
 * Selects what facts lack of the best that was told of their view. What an accepted suspect told
 * beyond the usual is kept under that suspect, also beside usual facts: it goes when the suspect is
 * refused.
 */
function selectUneven(scope: Scope, counted: string): string {
  const facts = `${stretch.name}
          WHERE ${scope.near} AND ${counted} AND (${viewKeys.join(', ')}) IN (
          ${selectDiffering(scope, counted, 'differ')})`;
  const each = (sql: (name: string) => string) => told.map(sql).join(', ');
  const any = (sql: (name: string) => string) => told.map(sql).join(' OR ');
  const nothing = (name: string) => `defaultValueOfArgumentType(own_${name})`;
  return `SELECT ${factKeys.join(', ')}, ${each((name) => `max(best_${name}) AS ${name}`)}
    FROM (
      SELECT ${stretchKey.join(', ')}, suspect, ${each((name) => `best_${name}, ${nothing(name)} AS own_${name}`)}
      FROM (
        SELECT ${stretchKey.join(', ')}, groupUniqArray(suspect) AS under
        FROM ${facts}
        GROUP BY ${stretchKey.join(', ')}
      ) AS fact
      INNER JOIN (
        SELECT *, ${each((name) => `max(if(suspect = '', own_${name}, ${nothing(name)})) OVER view AS usual_${name}`)},
          ${each((name) => `if(own_${name} > usual_${name}, own_${name}, usual_${name}) AS best_${name}`)},
          ${any((name) => `best_${name} != usual_${name}`)} AS isBeyond
        FROM (
          SELECT ${viewKeys.join(', ')}, suspect, ${each((name) => `max(${name}) AS own_${name}`)}
          FROM ${facts}
          GROUP BY ${viewKeys.join(', ')}, suspect
        )
        WINDOW view AS (PARTITION BY ${viewKeys.join(', ')})
      ) AS best USING (${viewKeys.join(', ')})
      WHERE has(under, suspect) OR isBeyond
      UNION ALL
      SELECT ${factKeys.join(', ')}, ${each((name) => `${nothing(name)} AS best_${name}, own_${name}`)}
      FROM (
        SELECT ${factKeys.join(', ')}, ${each((name) => `max(${name}) AS own_${name}`)}
        FROM ${facts}
        GROUP BY ${factKeys.join(', ')}
      )
    )
    GROUP BY ${factKeys.join(', ')}
    HAVING ${any((name) => `max(best_${name}) > max(own_${name})`)}`;
}

/** Statements that find what is missing in facts, and that write it. */
function statementsThatWrite(columns: readonly string[], select: (counted: string) => string) {
  return {
    find: forEachCounting(
      (counting, kept) => `SELECT accountId, toUnixTimestamp(slot) AS at FROM (
    ${select(countedBy(counting, kept))}
    )
    GROUP BY accountId, slot ORDER BY accountId, slot`,
    ),
    write: forEachCounting(
      (counting, kept) => `INSERT INTO ${stretch.name} (
      ${columns.join(', ')})
    SELECT ${columns.join(', ')} FROM (
    ${select(countedBy(counting, kept))}
    )
    WHERE (accountId, toUnixTimestamp(slot)) IN
      arrayZip({unevenAccounts:Array(UInt32)}, {unevenSlots:Array(UInt32)})
    SETTINGS max_threads = 1, max_partitions_per_insert_block = 0`,
    ),
  };
}

const statementsOf = (scope: Scope) => ({
  near: scope.near,
  // Mostly there are none: then nothing else is read.
  look: forEachCounting(
    (counting, kept) => `SELECT 1 AS found FROM (
          ${selectDiffering(scope, countedBy(counting, kept), 'any')}
    )
    LIMIT 1`,
  ),
  // In this order: what is written for a beginning is levelled as all other facts of its view.
  levels: [
    {
      what: 'beginnings',
      ...statementsThatWrite(columnsOfBeginnings, (counted) =>
        selectUnsettledBeginnings(factsOfViews(scope, counted)),
      ),
    },
    {
      what: 'views',
      ...statementsThatWrite([...factKeys, ...told], (counted) => selectUneven(scope, counted)),
    },
  ],
});
const statementsOfNotes = statementsOf(ofNotes);
const statementsOfDays = statementsOf(ofDays);

/**
 * Levels the views that have facts in the slots of these notes. Resolves to whether anything was
 * written.
 */
export function levelTouched(
  store: FactStore,
  notes: Notes,
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  return level(store, statementsOfNotes, parametersOf(notes), verdicts);
}

/** Levels the views that have facts on these days, on all days of their accounts. */
export function levelDays(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  return level(store, statementsOfDays, parametersOfDays(days), verdicts);
}

interface Uneven {
  readonly accountId: number;
  /** In seconds. */
  readonly at: number;
}

async function level(
  store: FactStore,
  { near, look, levels }: ReturnType<typeof statementsOf>,
  of: FactQuery['parameters'],
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  const which = { condition: near, parameters: of };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const oneThread = { settings: { max_threads: 1 } };
  const name = 'look for uneven views';
  const found = await store.select({ name, sql: textOf(look), parameters }, oneThread);
  if (found.length === 0) return false;
  let isUneven = false;
  for (const { what, find, write } of levels) {
    const uneven = await store.select<Uneven>(
      { name: `find uneven ${what}`, sql: textOf(find), parameters },
      oneThread,
    );
    for (let first = 0; first < uneven.length; first += slotsPerInsert) {
      const some = uneven.slice(first, first + slotsPerInsert);
      await note(store, some);
      await store.command({
        name: `level ${what}`,
        sql: textOf(write),
        parameters: {
          ...parameters,
          unevenAccounts: some.map(({ accountId }) => accountId),
          unevenSlots: some.map(({ at }) => at),
        },
      });
      await note(store, some);
    }
    isUneven ||= uneven.length > 0;
  }
  return isUneven;
}

async function note(store: FactStore, slots: readonly Uneven[]): Promise<void> {
  const batch = randomInt(1, 2 ** 47);
  const rows = slots.map(({ accountId, at }) => `${accountId}\t${at}\t${batch}\n`).join('');
  await store.insertText(touched.name, Buffer.from(rows), ['accountId', 'slot', 'batch']);
}
