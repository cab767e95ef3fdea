import { canonicalOrigin } from '../../lib/network/origin.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { packageDefaults } from '../../wire/library/video-fields.ts';
import { holdOpenAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows, shareRows } from '../database/row-locks.ts';
import type { Names, Package, Packages } from '../library.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';
import { deleteAnnotations } from './annotation-row.ts';

const columns = [
  'id as packageId',
  'accountId',
  'name as packageName',
  'type as packageType',
  'allowedOrigins',
  'signing',
] as const;

export function createPackages(database: Database): Packages {
  const { kysely, clock } = database;
  return {
    async create(accountId, fields) {
      const { packageName, packageType = packageDefaults.packageType } = fields;
      const { allowedOrigins = packageDefaults.allowedOrigins } = fields;
      const { signing = packageDefaults.signing } = fields;
      const origins = storedOrigins(allowedOrigins);
      if (!origins.ok) return origins;
      return inTransaction(kysely, async (connection) => {
        if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const isRoom = await hasRoom(connection, 'packages', accountId);
        if (!isRoom) return refused('TOO_MANY_PACKAGES');
        const row = await connection
          .insertInto('packages')
          .values({
            accountId,
            name: packageName,
            type: packageType,
            allowedOrigins: origins.value,
            signing,
            createdAtMs: clock.now(),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        const { packageId, accountId: _, ...after } = toPackage(row);
        const change = { accountId, object: packageId, after };
        await noteChange(database, connection, { action: 'PACKAGE_CREATED', ...change });
        return accept(toPackage(row));
      });
    },

    async find(accountId, packageId) {
      const row = await selectPackage(kysely, accountId, packageId).executeTakeFirst();
      return row && toPackage(row);
    },

    async list(accountId) {
      const rows = await kysely
        .selectFrom('packages')
        .select(columns)
        .where('accountId', '=', accountId)
        .where('deletedAtMs', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map(toPackage);
    },

    ...createPackageChanges(database),
  };
}

function createPackageChanges(database: Database): Pick<Packages, 'change' | 'delete'> {
  const { clock, watch } = database;
  return {
    change: (accountId, packageId, { packageName, packageType, allowedOrigins, signing }) =>
      // Every process that collects beacons caches the allowed origins and the mode of signing.
      watch.write(async (connection) => {
        const origins = allowedOrigins && storedOrigins(allowedOrigins);
        if (origins && !origins.ok) return origins;
        const [before] = await lockRows(database, selectPackage(connection, accountId, packageId));
        if (!before) return refused('NO_PACKAGE');
        const changed = await connection
          .updateTable('packages')
          .set({
            // Always set, because an update must set at least one column.
            accountId,
            ...(packageName === undefined ? {} : { name: packageName }),
            ...(packageType === undefined ? {} : { type: packageType }),
            ...(origins ? { allowedOrigins: origins.value } : {}),
            ...(signing === undefined ? {} : { signing }),
          })
          .where('id', '=', packageId)
          .returning(columns)
          .executeTakeFirstOrThrow();
        const after = toPackage(changed);
        const change = { accountId, object: packageId, before: toPackage(before), after };
        await noteChange(database, connection, { action: 'PACKAGE_CHANGED', ...change });
        return accept(after);
      }),

    delete: (accountId, packageId) =>
      watch.write(async (connection) => {
        const [row] = await lockRows(database, selectPackage(connection, accountId, packageId));
        if (!row) return refused('NO_PACKAGE');
        const deletedAtMs = clock.now();
        await connection
          .updateTable('packages')
          .set({ deletedAtMs })
          .where('id', '=', packageId)
          .execute();
        await retirePublications(connection, { packageId }, deletedAtMs);
        await deleteAnnotations(database, connection, { accountId, packageId });
        const { packageId: object, accountId: _, ...before } = toPackage(row);
        const change = { accountId, object, before };
        await noteChange(database, connection, { action: 'PACKAGE_DELETED', ...change });
        return accept(undefined);
      }),
  };
}

export function selectPackage(connection: Connection, accountId: number, packageId: number) {
  return connection
    .selectFrom('packages')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('id', '=', packageId)
    .where('deletedAtMs', 'is', null);
}

/** Keeps a package from being deleted while the transaction puts a video into it. */
export async function holdPackage(
  database: Database,
  transaction: Connection,
  accountId: number,
  packageId: number,
): Promise<Package | undefined> {
  const [found] = await shareRows(database, selectPackage(transaction, accountId, packageId));
  return found && toPackage(found);
}

function toPackage<Row extends { readonly allowedOrigins: string }>(row: Row) {
  return { ...row, allowedOrigins: parseOrigins(row.allowedOrigins) };
}

/** Stored with spaces between them, which no origin contains. */
export function parseOrigins(stored: string): readonly string[] {
  return stored === '' ? [] : stored.split(' ');
}

/** Each as a browser writes it in the header Origin: lower case, no default port. */
function storedOrigins(given: readonly string[]): Result<string, CatalogRefusal> {
  const fields = given.flatMap((text, index) =>
    canonicalOrigin(text) === undefined
      ? [{ field: `allowedOrigins.${index}`, detail: 'must be an origin: https://example.com' }]
      : [],
  );
  if (fields.length > 0) return refuse({ code: 'INVALID', fields });
  return accept([...new Set(given.map(canonicalOrigin))].join(' '));
}

/**
 * Retires those of a video, of a package, or the one of both. The search index need not follow for
 * a whole package: nobody can ask for its list again.
 */
export async function retirePublications(
  transaction: Connection,
  { packageId, videoId }: { packageId?: number; videoId?: number },
  retiredAtMs: number,
): Promise<void> {
  let update = transaction
    .updateTable('publications')
    .set({ retiredAtMs })
    .where('retiredAtMs', 'is', null);
  if (packageId !== undefined) update = update.where('packageId', '=', packageId);
  if (videoId !== undefined) update = update.where('videoId', '=', videoId);
  await update.execute();
}

/** Also of what is deleted: statistics refer to it. */
export function createNames({ kysely }: Database): Names {
  const namesIn = (table: 'packages' | 'folders') => (accountId: number, ids: readonly number[]) =>
    kysely
      .selectFrom(table)
      .select(['id', 'name'])
      .where('accountId', '=', accountId)
      .where('id', 'in', [...ids])
      .execute();
  return { packages: namesIn('packages'), folders: namesIn('folders') };
}
