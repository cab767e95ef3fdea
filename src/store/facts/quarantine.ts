/** What is set apart, and bringing the sums in line with verdicts on it. */
import type { SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SuspectSums, Suspects, SuspectView } from '../facts.ts';
import type { RollUp } from '../roll-up/roll-up.ts';
import { storableMs } from '../sql/account-days.ts';
import { tables } from '../tables/schema.ts';
import { contentColumns, slotMs, sumNames, sums } from '../tables/sums.ts';

const mostSuspects = 10_000;

interface SuspectsOptions {
  readonly store: FactStore;
  readonly requireSummed: () => void;
  /** Undefined until something has been summed. */
  readonly rollUp: () => Pick<RollUp, 'sumAgain'> | undefined;
}

const viewKeys = ['slot', ...contentColumns, 'view'].join(', ');

export function createSuspects({ store, requireSummed, rollUp }: SuspectsOptions): Suspects {
  return {
    async list({ accountId, fromMs, untilMs }) {
      requireSummed();
      return store.select<SuspectSums>({
        name: 'list suspects',
        sql: `SELECT suspect, toUnixTimestamp(min(slot)) * 1000 AS fromMs,
            toUnixTimestamp(max(slot)) * 1000 + ${slotMs} AS untilMs,
            uniqExact(view) AS views, uniqExact(videoId) AS videos,
            sum(view_plays) AS plays, sum(least(view_playMs, ${sums.playMs.mostOfView})) AS playMs
          FROM (
            SELECT suspect, ${viewKeys}, sum(largest_plays) AS view_plays,
              sum(largest_playMs) AS view_playMs
            FROM (
              SELECT suspect, ${viewKeys},
                ${sumNames.map((name) => `${sums[name].ofStretch((column) => `max(${column})`)} AS largest_${name}`).join(', ')}
              FROM ${tables.stretch.name}
              WHERE accountId = {accountId:UInt32} AND suspect != ''
                AND slot >= toDateTime({from:UInt32}, 'UTC')
                AND slot < toDateTime({until:UInt32}, 'UTC')
              GROUP BY suspect, ${viewKeys}, stretch, startMs
              -- Without what only tells more of a view.
              HAVING largest_plays > 0 OR largest_playMs > 0)
            GROUP BY suspect, ${viewKeys})
          GROUP BY suspect ORDER BY playMs DESC, suspect LIMIT {most:UInt32}`,
        parameters: {
          accountId,
          from: Math.ceil(storableMs(fromMs) / 1_000),
          until: Math.ceil(storableMs(untilMs) / 1_000),
          most: mostSuspects,
        },
      });
    },
    async namesSince(sinceMs) {
      requireSummed();
      return store.select<SuspectName>({
        name: 'list suspects of all accounts',
        sql: `SELECT DISTINCT accountId, suspect FROM ${tables.stretch.name}
          WHERE suspect != '' AND slot >= toDateTime({since:UInt32}, 'UTC')
          LIMIT {most:UInt32}`,
        parameters: { since: Math.floor(sinceMs / 1_000), most: mostSuspects },
      });
    },
    async has(name) {
      requireSummed();
      return hasSuspect(store, name);
    },
    async sumAgain(name) {
      requireSummed();
      await rollUp()?.sumAgain([name]);
    },
  };
}

/* Views that were set apart, read back to judge what arrives for them later. */

export interface SuspectViewRecall {
  /** First parts of the ids of suspects; others are left out. */
  readonly reasons: readonly string[];
  /** Only views with facts in this time before now. */
  readonly withinMs: number;
  /** At most that many. */
  readonly mostViews: number;
  remember(views: readonly SuspectView[]): void;
}

const identity = [...contentColumns, 'view'].join(', ');
const isApart = `splitByChar(':', suspect)[1] IN {reasons:Array(String)}`;
const isRecent = `slot >= toDateTime({since:UInt32}, 'UTC')`;

export async function readSuspectViews(
  store: Pick<FactStore, 'select'>,
  { reasons, withinMs, mostViews }: SuspectViewRecall,
  nowMs: number,
): Promise<SuspectView[]> {
  const found = await store.select<Omit<SuspectView, 'suspect'> & { readonly apartAs: string }>({
    name: 'read suspect views',
    sql: `SELECT ${identity}, maxIf(suspect, isSetApart) AS apartAs,
        groupArrayIf((stretch, stretchMs), NOT isSetApart) AS usual
      FROM (
        SELECT ${identity}, suspect, ${isApart} AS isSetApart, stretch, sum(slotMs) AS stretchMs
        FROM (
          SELECT ${identity}, suspect, stretch, slot, max(playMs) AS slotMs
          FROM ${tables.stretch.name}
          WHERE ${isRecent} AND view IN (
            SELECT view FROM ${tables.stretch.name}
            WHERE suspect != '' AND ${isApart} AND ${isRecent} LIMIT {most:UInt32})
          GROUP BY ${identity}, suspect, stretch, slot)
        GROUP BY ${identity}, suspect, stretch)
      GROUP BY ${identity} HAVING max(isSetApart) = 1`,
    parameters: { reasons, since: Math.floor((nowMs - withinMs) / 1_000), most: mostViews },
  });
  return found.map(({ apartAs, ...view }) => ({ ...view, suspect: apartAs }));
}

export async function hasSuspect(
  store: Pick<FactStore, 'select'>,
  { accountId, suspect }: SuspectName,
): Promise<boolean> {
  const found = await store.select({
    name: 'find suspect',
    sql: `SELECT 1 AS one FROM ${tables.stretch.name}
      WHERE accountId = {accountId:UInt32} AND suspect = {suspect:String} LIMIT 1`,
    parameters: { accountId, suspect },
  });
  return found.length > 0;
}
