/** Opens the store of the facts: one server, or a cluster of them. */

import type { ClusterAccess } from './cluster-access.ts';
import { type ClusterStoreOptions, openClusterStore } from './cluster-store.ts';
import {
  type FactStore,
  type FactStoreAccess,
  type OpenedStore,
  openFactStore,
} from './fact-store.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { migrations } from './migrations.ts';

export type StoreAccess = FactStoreAccess | ClusterAccess;

interface StoreOptions extends Omit<ClusterStoreOptions, 'access'> {
  readonly access: StoreAccess;
}

export function openStore({ access, ...options }: StoreOptions): OpenedStore {
  if ('cluster' in access) return openClusterStore({ access, ...options });
  const store = openFactStore(access, options);
  // Asks before there is a database; closed with the other, whatever it waits for is cut off.
  const bare = openFactStore({ ...access, database: 'system' });
  let isOfOneMoment = false;
  return {
    store: {
      ...store,
      async close() {
        await Promise.all([store.close(), bare.close()]);
      },
    },
    coveredSkewMs: 0,
    measureSkewMs: async () => undefined,
    whyNotReady: () => undefined,
    readsAsOfOneMoment: () => isOfOneMoment,
    async prepare(leavesAsFound) {
      const found = { bare, store, database: access.database };
      // Tables of an earlier release are refused.
      const mayChange = !leavesAsFound || (await requireMigrated(found, migrations));
      if (mayChange) await migrate(store, migrations, options.clock);
      isOfOneMoment = await sharesSnapshots(store);
    },
  };
}

/** Earlier servers do not know the setting, and an operator may have it off. */
async function sharesSnapshots(store: FactStore): Promise<boolean> {
  const [setting] = await store.select<{ isOn: 0 | 1 }>({
    name: 'look whether statements share snapshots',
    sql: `SELECT value = '1' AS isOn FROM system.settings
      WHERE name = 'enable_shared_storage_snapshot_in_query'`,
    parameters: {},
  });
  return setting?.isOn === 1;
}
