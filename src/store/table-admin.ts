/** The tables of a configured store: lists pending changes to them, and makes these. */
import type { Clock } from '../lib/time/clock.ts';
import { requireAllAnswer } from './client/answer-check.ts';
import { type FactStoreAccess, openFactStore } from './client/store-client.ts';
import type { ClusterAccess } from './cluster/cluster-access.ts';
import { findUnprepared, prepareCluster } from './cluster/cluster-migration.ts';
import { closeHost, openClusterHost } from './cluster/cluster-store.ts';
import { migrate, pendingMigrations } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import type { StoreAccess } from './open-store.ts';
import type { TableAdmin } from './store-maintenance.ts';
import { tables } from './tables/schema.ts';

/** Where a store records what was done. */
export const migrationTable = tables.migration.name;

export function openTableAdmin(access: StoreAccess, clock: Clock): TableAdmin {
  return 'cluster' in access ? deskOfCluster(access, clock) : deskOfServer(access, clock);
}

function deskOfServer(access: FactStoreAccess, clock: Clock): TableAdmin {
  const store = openFactStore(access);
  const bare = openFactStore({ ...access, database: 'system' });
  const servers = [{ name: new URL(access.url).host, bare }];
  return {
    async findUndone() {
      await requireAllAnswer(servers, clock);
      const pending = await pendingMigrations({ ...access, bare, store }, migrations);
      return pending.map(({ name }) => `migration ${name} is not applied`);
    },
    async bringUpToDate(noteDone) {
      await requireAllAnswer(servers, clock);
      await migrate(store, migrations, clock, { noteDone });
    },
    async close() {
      await Promise.all([store.close(), bare.close()]);
    },
  };
}

function deskOfCluster(access: ClusterAccess, clock: Clock): TableAdmin {
  const hosts = access.urls.map((url) => openClusterHost(access, url));
  const options = { access, hosts, migrations, clock };
  return {
    async findUndone() {
      await requireAllAnswer(hosts, clock);
      return findUnprepared(options);
    },
    async bringUpToDate(noteDone) {
      await requireAllAnswer(hosts, clock);
      await prepareCluster({ ...options, noteDone });
    },
    async close() {
      await Promise.all(hosts.map(closeHost));
    },
  };
}
