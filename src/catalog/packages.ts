import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { PackageChanges, PackageFields } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
import { originsOf, storedOrigins } from './allowed-origins.ts';
import { checkCount } from './check-count.ts';
import type { Connection } from './database.ts';
import type { Package, Packages } from './library.ts';
import { retirePublications } from './retire-publications.ts';
import type { Store } from './store.ts';

const columns = [
  'id as packageId',
  'accountId',
  'name as packageName',
  'type as packageType',
  'allowedOrigins',
] as const;

export function createPackages(store: Store): Packages {
  const { kysely, clock } = store;
  return {
    async create(accountId, fields) {
      const { packageName, packageType = 'VOD', ...rest } = checkMessage(PackageFields, fields);
      const allowedOrigins = storedOrigins(rest.allowedOrigins ?? []);
      await requireAccount(kysely, accountId);
      await checkCount(kysely, 'packages', accountId);
      const row = await kysely
        .insertInto('packages')
        .values({
          accountId,
          name: packageName,
          type: packageType,
          allowedOrigins,
          createdAtMs: clock.now(),
        })
        .returning(columns)
        .executeTakeFirstOrThrow();
      return packageOf(row);
    },

    async find(accountId, packageId) {
      const row = await selectPackage(kysely, accountId, packageId).executeTakeFirst();
      return row && packageOf(row);
    },

    async list(accountId) {
      const rows = await kysely
        .selectFrom('packages')
        .select(columns)
        .where('accountId', '=', accountId)
        .where('deletedAtMs', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map(packageOf);
    },

    ...createPackageChanges(store),
  };
}

function createPackageChanges({ clock, watch }: Store): Pick<Packages, 'change' | 'delete'> {
  return {
    change(accountId, packageId, given) {
      const { packageName, packageType, allowedOrigins } = checkMessage(PackageChanges, given);
      // What is allowed is remembered wherever beacons arrive.
      return watch.write(async (connection) => {
        const changed = await connection
          .updateTable('packages')
          .set({
            // Always there, because a database takes no update of nothing.
            accountId,
            ...(packageName === undefined ? {} : { name: packageName }),
            ...(packageType === undefined ? {} : { type: packageType }),
            ...(allowedOrigins ? { allowedOrigins: storedOrigins(allowedOrigins) } : {}),
          })
          .where('accountId', '=', accountId)
          .where('id', '=', packageId)
          .where('deletedAtMs', 'is', null)
          .returning(columns)
          .executeTakeFirst();
        return changed ? packageOf(changed) : refusePackage();
      });
    },

    delete: (accountId, packageId) =>
      watch.write(async (connection) => {
        const deletedAtMs = clock.now();
        const deleted = await connection
          .updateTable('packages')
          .set({ deletedAtMs })
          .where('accountId', '=', accountId)
          .where('id', '=', packageId)
          .where('deletedAtMs', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!deleted) refusePackage();
        await retirePublications(connection, { packageId }, deletedAtMs);
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
  { engine }: Store,
  transaction: Connection,
  accountId: number,
  packageId: number,
): Promise<Package> {
  const found = await selectPackage(transaction, accountId, packageId)
    .$if(engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  return found ? packageOf(found) : refusePackage();
}

function packageOf<Row extends { readonly allowedOrigins: string }>(row: Row) {
  return { ...row, allowedOrigins: originsOf(row.allowedOrigins) };
}

function refusePackage(): never {
  throw new Fault('NOT_FOUND', 'There is no such package');
}
