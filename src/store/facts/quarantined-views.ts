/** Views that were set apart, read back to judge what arrives for them later. */
import type { SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SuspectView } from '../facts.ts';
import { tables } from '../tables/schema.ts';
import { keyColumns } from '../tables/sums.ts';

export interface SuspectViewRecall {
  /** First parts of the ids of suspects; others are left out. */
  readonly reasons: readonly string[];
  /** Only views with facts in this time before now. */
  readonly withinMs: number;
  /** At most that many. */
  readonly mostViews: number;
  remember(views: readonly SuspectView[]): void;
}

const identity = [...keyColumns, 'view'].join(', ');
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
