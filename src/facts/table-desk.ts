/** The tables of a configured store: lists pending changes to them, and makes these. */
import type { Clock } from '../lib/clock.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { closeHost, openClusterHost } from './cluster-store.ts';
import { type FactStoreAccess, openFactStore } from './fact-store.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { migrations } from './migrations.ts';
import type { StoreAccess } from './open-store.ts';
import { findUnprepared, prepareCluster } from './prepare-cluster.ts';
import { requireAllAnswer } from './require-answer.ts';
import { tables } from './schema.ts';
import type { TableDesk } from './upkeep.ts';

/** Where a store records what was done. */
export const migrationTable = tables.migration.name;

export function openTableDesk(access: StoreAccess, clock: Clock): TableDesk {
  return 'cluster' in access ? deskOfCluster(access, clock) : deskOfServer(access, clock);
}

function deskOfServer(access: FactStoreAccess, clock: Clock): TableDesk {
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

function deskOfCluster(access: ClusterAccess, clock: Clock): TableDesk {
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
