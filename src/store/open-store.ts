/** Opens the store of the facts: one server, or a cluster of them. */

import { ClickHouseError } from '@clickhouse/client';
import type { Clock } from '../lib/time/clock.ts';
import { Fault } from '../vocabulary/faults.ts';
import { type HostPatience, type HostWatch, watchHosts } from './client/host-watch.ts';
import {
  type FactStore,
  type FactStoreAccess,
  type OpenedStore,
  openFactStore,
} from './client/store-client.ts';
import { findUnprepared, prepareCluster } from './cluster/cluster-migration.ts';
import {
  type ClusterStoreOptions,
  closeHost,
  openClusterHost,
  openClusterStore,
} from './cluster/cluster-store.ts';
import type { ClusterAccess } from './cluster/topology.ts';
import { migrate, pendingMigrations, requireMigrated } from './migrations/migrate.ts';
import { migrations } from './migrations/migrations.ts';
import type { TableAdmin } from './store-maintenance.ts';
import { tables } from './tables/schema.ts';

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

/* The tables of a configured store: lists pending changes to them, and makes these. */

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

const answersWithinMs = 10_000;

interface NamedServer {
  readonly name: string;
  /** In no database: works while there is none. */
  readonly bare: Pick<FactStore, 'select'>;
}

/** A server that refuses has answered. */
async function requireAnswer(
  { bare }: Pick<NamedServer, 'bare'>,
  signal: AbortSignal,
): Promise<void> {
  const question = { name: 'look whether the server answers', sql: 'SELECT 1', parameters: {} };
  // Asked often, and of no interest to the operator.
  const options = { timeoutSeconds: 5, settings: { log_queries: 0 }, signal };
  await bare.select(question, options).catch((error) => {
    if (!(error instanceof Fault && error.cause instanceof ClickHouseError)) throw error;
  });
}

/** Rejects with UNAVAILABLE if one of them is away, or says nothing. */
async function requireAllAnswer(servers: readonly NamedServer[], clock: Clock): Promise<void> {
  const late = new AbortController();
  const cancel = clock.after(answersWithinMs, () => late.abort());
  const asked = servers.map((server) =>
    requireAnswer(server, late.signal).catch((error) => {
      if (!late.signal.aborted) throw error;
      const reason = `${server.name}: no answer within ${answersWithinMs} ms`;
      throw new Fault('UNAVAILABLE', `The statistics store is not ready: ${reason}`);
    }),
  );
  await Promise.all(asked).finally(cancel);
}
