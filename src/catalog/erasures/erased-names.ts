/** The names by which what arrives later is known as erased; see `ErasureBook` of the facts. */
import { type CurrentErasures, type ErasureTarget, forEverMs } from '../../vocabulary/erasures.ts';
import type { Connection } from '../database/connection.ts';
import type { ErasureRow } from '../database/tables.ts';

/** Below the number of parameters that SQLite takes. */
const namesPerRead = 500;
const namesPerInsert = 200;

/** A name of several words or of digits alone is no view. */
const viewForm = '%-%-%-%-%';

type Named = Pick<ErasureTarget, 'kind' | 'views'> &
  Partial<Pick<ErasureTarget, 'viewer' | 'packageId' | 'videoId' | 'untilMs'>>;

interface ErasedName {
  readonly name: string;
  readonly untilMs: number;
}

/** Facts are erased by the account's `keptSinceMs` instead. */
export function listNames(target: Named): ErasedName[] {
  const { kind, views, viewer = '', packageId = 0, videoId = 0, untilMs = forEverMs } = target;
  const names = views.map((name) => ({ name, untilMs: forEverMs }));
  if (kind === 'viewer') names.push({ name: viewer, untilMs });
  if (kind === 'playback') names.push({ name: `${packageId} ${videoId}`, untilMs });
  return names;
}

export async function addNames(
  connection: Connection,
  { accountId, receipt }: Pick<ErasureRow, 'accountId' | 'receipt'>,
  names: readonly ErasedName[],
): Promise<void> {
  for (let first = 0; first < names.length; first += namesPerInsert) {
    const some = names.slice(first, first + namesPerInsert);
    await connection
      .insertInto('erasedNames')
      .values(some.map((name) => ({ accountId, receipt, ...name })))
      .onConflict((conflict) => conflict.columns(['accountId', 'name', 'receipt']).doNothing())
      .execute();
  }
}

export async function readViews(connection: Connection, receipt: string): Promise<string[]> {
  const rows = await connection
    .selectFrom('erasedNames')
    .select('name')
    .where('receipt', '=', receipt)
    .where('name', 'like', viewForm)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function readErasedUntil(
  connection: Connection,
  accountId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let first = 0; first < names.length; first += namesPerRead) {
    const rows = await connection
      .selectFrom('erasedNames')
      .select(({ fn }) => ['name', fn.max('untilMs').as('untilMs')])
      .where('accountId', '=', accountId)
      .where('name', 'in', names.slice(first, first + namesPerRead))
      .groupBy('name')
      .execute();
    for (const { name, untilMs } of rows) found.set(name, untilMs);
  }
  return found;
}

/** Undefined if nothing was ever erased. */
export async function readCurrentErasures(
  kysely: Connection,
): Promise<CurrentErasures | undefined> {
  const accounts = await kysely
    .selectFrom('accounts')
    .select(['id', 'keptSinceMs'])
    .where('isErased', '=', 1)
    .orderBy('id')
    .execute();
  if (accounts.length === 0) return undefined;
  const rows = await kysely
    .selectFrom('erasures')
    .selectAll()
    .where('state', 'in', ['summing', 'deleting'])
    .where('kind', '!=', 'facts')
    .orderBy('atMs')
    .orderBy('receipt')
    .execute();
  const open: CurrentErasures['open'][number][] = [];
  for (const row of rows) open.push({ ...row, views: await readViews(kysely, row.receipt) });
  return {
    open,
    keptSince: new Map(
      accounts
        .filter(({ keptSinceMs }) => keptSinceMs > 0)
        .map(({ id, keptSinceMs }) => [id, keptSinceMs]),
    ),
    accounts: new Set(accounts.map(({ id }) => id)),
  };
}
