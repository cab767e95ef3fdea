import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { PackageFields } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
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
] as const;

export function createPackages({ kysely, clock, watch }: Store): Packages {
  return {
    async create(accountId, fields) {
      const { packageName, packageType = 'VOD' } = checkMessage(PackageFields, fields);
      await requireAccount(kysely, accountId);
      await checkCount(kysely, 'packages', accountId);
      return kysely
        .insertInto('packages')
        .values({ accountId, name: packageName, type: packageType, createdAtMs: clock.now() })
        .returning(columns)
        .executeTakeFirstOrThrow();
    },

    find: (accountId, packageId) => selectPackage(kysely, accountId, packageId).executeTakeFirst(),

    list: (accountId) =>
      kysely
        .selectFrom('packages')
        .select(columns)
        .where('accountId', '=', accountId)
        .where('deletedAtMs', 'is', null)
        .orderBy('id')
        .execute(),

    async change(accountId, packageId, fields) {
      const { packageName, packageType } = checkMessage(PackageFields, fields);
      const changed = await kysely
        .updateTable('packages')
        .set({ name: packageName, ...(packageType === undefined ? {} : { type: packageType }) })
        .where('accountId', '=', accountId)
        .where('id', '=', packageId)
        .where('deletedAtMs', 'is', null)
        .returning(columns)
        .executeTakeFirst();
      return changed ?? refusePackage();
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
  return found ?? refusePackage();
}

function refusePackage(): never {
  throw new Fault('NOT_FOUND', 'There is no such package');
}
