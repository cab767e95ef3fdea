/** Opens the store of the facts: one server, or a cluster of them. */

import type { ClusterAccess } from './cluster-access.ts';
import { type ClusterStoreOptions, openClusterStore } from './cluster-store.ts';
import { type FactStoreAccess, type OpenedStore, openFactStore } from './fact-store.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';

export type StoreAccess = FactStoreAccess | ClusterAccess;

interface StoreOptions extends Omit<ClusterStoreOptions, 'access'> {
  readonly access: StoreAccess;
}

export function openStore({ access, ...options }: StoreOptions): OpenedStore {
  if ('cluster' in access) return openClusterStore({ access, ...options });
  const store = openFactStore(access, options.noteFailure);
  return {
    store,
    coveredSkewMs: 0,
    whyNotReady: () => undefined,
    prepare: () => migrate(store, migrations, options.clock),
  };
}
