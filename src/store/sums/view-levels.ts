/**
 * Levels views: what is known of a view belongs to all of its facts, whichever of its beacons told
 * it. Where the facts of a touched view differ, the best that was told is written to all of them
 * (docs/decisions/views-have-one-value.md). Of the beginnings of each of their stretches one
 * counts. Both may be repeated, in any order and by any node.
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
import { daySuffix, type GroupingName, unpackSum } from '../tables/sums.ts';
import { type Counting, chooseCounting, forEachCounting } from './sum-insert.ts';
import { bindNotes, isOfNotes, type Notes } from './touched-days.ts';
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
        SELECT accountId, slot, ${unpackSum('max(plays)')} AS playsOfDay FROM ${playbackSum.name}
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

type Uneven = 'beginnings' | 'views';

interface UnevenView extends Record<Uneven, 0 | 1> {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
  readonly view: string;
}

/** In one statement: the store takes 128 KiB in one field of a request. */
const mostViews = 2_500;
const mostDays = 5_000;

/**
 * Selects touched views whose facts differ, or whose stretches have several beginnings, behind the
 * last that was found. If parts of the table have not been merged, earlier states of a fact count
 * as other facts.
 */
function selectUnevenViews({ touched, near }: Scope, counted: string): string {
  const keys = viewKeys.join(', ');
  const hash = `cityHash64(${told.join(', ')})`;
  return `SELECT ${keys}, max(beganTwice) AS beginnings, min(least) != max(most) AS views
    FROM (
      SELECT ${keys}, min(${hash}) AS least, max(${hash}) AS most,
        min(startMs) != max(startMs) AS beganTwice
      FROM ${stretch.name}
      PREWHERE view IN (SELECT view FROM ${stretch.name} WHERE ${touched} AND ${counted})
      WHERE ${near} AND ${counted} AND ({afterAccountId:UInt32} = 0 OR (${keys}) >
        ({afterAccountId:UInt32}, {afterPackageId:UInt32}, {afterVideoId:UInt32}, {afterView:UUID}))
      GROUP BY ${keys}, stretch
    )
    GROUP BY ${keys} HAVING beginnings OR views
    ORDER BY ${keys} LIMIT ${mostViews}`;
}

function parametersAfter(last: UnevenView | undefined) {
  return {
    afterAccountId: last?.accountId ?? 0,
    afterPackageId: last?.packageId ?? 0,
    afterVideoId: last?.videoId ?? 0,
    afterView: last?.view ?? '00000000-0000-0000-0000-000000000000',
  };
}

const isOfViews = `(${viewKeys.join(', ')}) IN arrayZip({accountsOfViews:Array(UInt32)},
            {packagesOfViews:Array(UInt32)}, {videosOfViews:Array(UInt32)}, {views:Array(UUID)})`;

const parametersOfViews = (views: readonly UnevenView[]) => ({
  accountsOfViews: views.map(({ accountId }) => accountId),
  packagesOfViews: views.map(({ packageId }) => packageId),
  videosOfViews: views.map(({ videoId }) => videoId),
  views: views.map(({ view }) => view),
});

/** The days on which they have facts. */
const selectDaysOfViews = ({ near }: Scope, counted: string) =>
  `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
      FROM ${stretch.name} PREWHERE view IN {views:Array(UUID)}
      WHERE ${near} AND ${counted} AND ${isOfViews}`;

/**
 * SQL of the facts of uneven views, by `parametersOfViews` and `parametersOfDays`; another
 * condition may follow.
 */
const factsOfViews = (counted: string) => `${stretch.name}
          WHERE ${isOfDays} AND ${isOfViews} AND ${counted}`;

/*
 * All that was told as one array of texts in which larger ones are better: the engine takes half a
 * second to plan a statement that names each column in each place.
 */
const viewerText = `if(toldViewer = 0, '', leftPad(toString(toldViewer), 20, '0'))`;
const toldTexts = `CAST([${told.map((name) => (name === 'toldViewer' ? viewerText : name)).join(', ')}], 'Array(String)')`;
const columnOfText = (name: (typeof told)[number], text: string) =>
  `${name === 'toldViewer' ? `toUInt64OrZero(${text})` : text} AS ${name}`;
const fromTexts = (texts: string) =>
  told.map((name, index) => columnOfText(name, `${texts}[${index + 1}]`)).join(', ');
/** Of the pairs of a suspect and texts, the texts of one, or empty ones. */
const textsOf = (suspect: string, pairs: string) =>
  `arrayResize(arrayFirst(pair -> pair.1 = ${suspect}, ${pairs}).2, ${told.length})`;

/**
 * Selects what facts lack of the best that was told of their view. What an accepted suspect told
 * beyond the usual is kept under that suspect, also beside usual facts: it goes when the suspect is
 * refused.
 */
function selectUneven(counted: string): string {
  const toldBy = (keys: readonly string[]) => `SELECT ${[...keys, 'suspect'].join(', ')},
            maxForEach(${toldTexts}) AS texts
          FROM ${factsOfViews(counted)}
          GROUP BY ${[...keys, 'suspect'].join(', ')}`;
  const pairs = 'groupArray((toString(suspect), texts))';
  return `SELECT ${stretchKey.join(', ')}, best.1 AS suspect, ${fromTexts('best.2')}
    FROM (
      SELECT ${stretchKey.join(', ')}, toldOfFact, usual, arrayJoin(bestOfView) AS best
      FROM (
        SELECT ${stretchKey.join(', ')}, ${pairs} AS toldOfFact FROM (
          ${toldBy(stretchKey)})
        GROUP BY ${stretchKey.join(', ')}
      ) AS fact
      INNER JOIN (
        SELECT ${viewKeys.join(', ')}, ${pairs} AS toldOfView, ${textsOf("''", 'toldOfView')} AS usual,
          arrayMap(pair -> (pair.1,
            arrayMap((one, other) -> greatest(one, other), pair.2, usual)), toldOfView) AS bestOfView
        FROM (
          ${toldBy(viewKeys)})
        GROUP BY ${viewKeys.join(', ')}
      ) AS view USING (${viewKeys.join(', ')})
    )
    WHERE (best.2 != usual OR arrayExists(pair -> pair.1 = best.1, toldOfFact))
      AND arrayExists((one, own) -> one > own, best.2, ${textsOf('best.1', 'toldOfFact')})`;
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

/** In this order: what is written for a beginning is levelled as all other facts of its view. */
const levels: readonly ({ readonly what: Uneven } & ReturnType<typeof statementsThatWrite>)[] = [
  {
    what: 'beginnings',
    ...statementsThatWrite(columnsOfBeginnings, (counted) =>
      selectUnsettledBeginnings(factsOfViews(counted)),
    ),
  },
  { what: 'views', ...statementsThatWrite([...factKeys, ...told], selectUneven) },
];

/** Mostly it finds none: then nothing else is read. */
const lookOf = (scope: Scope) => ({
  near: scope.near,
  look: forEachCounting((counting, kept) => selectUnevenViews(scope, countedBy(counting, kept))),
  days: forEachCounting((counting, kept) => selectDaysOfViews(scope, countedBy(counting, kept))),
});
const lookOfNotes = lookOf(ofNotes);
const lookOfDays = lookOf(ofDays);

/**
 * Levels the views that have facts in the slots of these notes. Resolves to whether anything was
 * written.
 */
export function levelTouched(
  store: FactStore,
  notes: Notes,
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  return level(store, lookOfNotes, bindNotes(notes), verdicts);
}

/** Levels the views that have facts on these days, on all days of their accounts. */
export function levelDays(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  return level(store, lookOfDays, parametersOfDays(days), verdicts);
}

async function level(
  store: FactStore,
  { near, look, days }: ReturnType<typeof lookOf>,
  of: FactQuery['parameters'],
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  const which = { condition: near, parameters: of };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const levelSome = async (views: readonly UnevenView[]): Promise<boolean> => {
    const ofViews = { ...parameters, ...parametersOfViews(views) };
    const found = await store.select<AccountDay>(
      { name: 'find days of uneven views', sql: textOf(days), parameters: ofViews },
      besideBeacons,
    );
    // Erased meanwhile.
    if (found.length === 0) return false;
    if (found.length > mostDays && views.length > 1) {
      const half = Math.ceil(views.length / 2);
      const first = await levelSome(views.slice(0, half));
      return (await levelSome(views.slice(half))) || first;
    }
    const ofFacts = { ...ofViews, ...parametersOfDays(found) };
    return await levelViews(store, views, { textOf, parameters: ofFacts });
  };
  let isUneven = false;
  let views: readonly UnevenView[];
  let last: UnevenView | undefined;
  do {
    views = await store.select<UnevenView>(
      {
        name: 'look for uneven views',
        sql: textOf(look),
        parameters: { ...parameters, ...parametersAfter(last) },
      },
      besideBeacons,
    );
    last = views.at(-1);
    if (last === undefined) break;
    if (await levelSome(views)) isUneven = true;
  } while (views.length === mostViews);
  return isUneven;
}

async function levelViews(
  store: FactStore,
  views: readonly UnevenView[],
  { textOf, parameters }: Awaited<ReturnType<typeof chooseCounting>>,
): Promise<boolean> {
  let isUneven = false;
  for (const { what, find, write } of levels) {
    // Where beginnings were settled, what was told may differ since.
    if (!isUneven && !views.some((view) => view[what] === 1)) continue;
    const slots = await store.select<Slot>(
      { name: `find uneven ${what}`, sql: textOf(find), parameters },
      besideBeacons,
    );
    for (let first = 0; first < slots.length; first += slotsPerInsert) {
      const some = slots.slice(first, first + slotsPerInsert);
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
    isUneven ||= slots.length > 0;
  }
  return isUneven;
}

/** As long as a statement that writes may take: after an import there are millions of views. */
const besideBeacons = { settings: { max_threads: 1 }, timeoutSeconds: 110 };

interface Slot {
  readonly accountId: number;
  /** In seconds. */
  readonly at: number;
}

async function note(store: FactStore, slots: readonly Slot[]): Promise<void> {
  const batch = randomInt(1, 2 ** 47);
  const rows = slots.map(({ accountId, at }) => `${accountId}\t${at}\t${batch}\n`).join('');
  await store.insertText(touched.name, Buffer.from(rows), ['accountId', 'slot', 'batch']);
}
