/** Opens the store of the facts: one server, or a cluster of them. */

import { requireAnswer } from './client/answer-check.ts';
import { type HostPatience, type HostWatch, watchHosts } from './client/host-watch.ts';
import {
  type FactStore,
  type FactStoreAccess,
  type OpenedStore,
  openFactStore,
} from './client/store-client.ts';
import type { ClusterAccess } from './cluster/cluster-access.ts';
import { type ClusterStoreOptions, openClusterStore } from './cluster/cluster-store.ts';
import { migrate, requireMigrated } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';

export type StoreAccess = FactStoreAccess | ClusterAccess;

interface StoreOptions extends Omit<ClusterStoreOptions, 'access'> {
  readonly access: StoreAccess;
}

export function openStore({ access, ...options }: StoreOptions): OpenedStore {
  if ('cluster' in access) return openClusterStore({ access, ...options });
  // Asks before there is a database; closed with the others, whatever it waits for is cut off.
  const bare = openFactStore({ ...access, database: 'system' });
  const { patience } = access;
  const watch = patience && watchServer({ ...access, patience }, bare, options);
  const store = openFactStore(access, options, watch && { signal: () => watch.signal(0) });
  // For statements about the tables, which take as long as they take.
  const patient = openFactStore(access, options);
  let isOfOneMoment = false;
  return {
    store: {
      ...store,
      onEachServer: patient.onEachServer,
      async close() {
        await watch?.stop();
        await Promise.all([store.close(), patient.close(), bare.close()]);
      },
    },
    coveredSkewMs: 0,
    measureSkewMs: async () => undefined,
    whyNotReady: () => watch?.whyNotReady(),
    readsAsOfOneMoment: () => isOfOneMoment,
    async prepare(leavesAsFound) {
      const found = { bare, store: patient, database: access.database };
      // Tables of an earlier release are refused.
      const mayChange = !leavesAsFound || (await requireMigrated(found, migrations));
      if (mayChange) await migrate(patient, migrations, options.clock);
      isOfOneMoment = await sharesSnapshots(patient);
    },
  };
}

function watchServer(
  access: FactStoreAccess & { readonly patience: HostPatience },
  bare: FactStore,
  { clock, logger }: Pick<StoreOptions, 'clock' | 'logger'>,
): HostWatch {
  return watchHosts({
    hosts: [{ name: new URL(access.url).host }],
    probe: (_, signal) => requireAnswer({ bare }, signal),
    ...{ awaited: 'answer', patience: access.patience, clock, logger },
  });
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
