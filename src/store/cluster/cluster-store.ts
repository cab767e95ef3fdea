/**
 * The facts in a cluster of ClickHouse servers, as one store: every statement goes to the host in
 * use, which asks the others. If a host cannot be reached, or is given up while it is waited for,
 * another one is used at once; statements may be sent again, because facts and sums only grow.
 */
import type { Registry } from 'prom-client';
import { assert, onlyRow } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type HostWatch, usualHostPatience, watchHosts } from '../client/host-watch.ts';
import {
  type FactStore,
  type OpenedStore,
  openFactStore,
  type StatementWatch,
} from '../client/store-client.ts';
import { migrations } from '../migrations/migrations.ts';
import { type ClusterHost, prepareCluster, requirePrepared } from './cluster-migration.ts';
import {
  accessOfHost,
  type ClusterAccess,
  clusterInsertSettings,
  clusterSettings,
  nameShardDatabase,
} from './topology.ts';

export interface ClusterStoreOptions extends StatementWatch {
  readonly access: ClusterAccess;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function openClusterStore(options: ClusterStoreOptions): OpenedStore {
  const { access, metrics, clock, logger } = options;
  let replicas = 1;
  const hosts: WorkingHost[] = access.urls.map((url, place) => ({
    ...openClusterHost(access, url),
    working: openFactStore(accessOfHost(access, url, access.database), options, {
      settings: clusterSettings,
      insertSettings: () => clusterInsertSettings(replicas),
      signal: () => watch.signal(place),
    }),
  }));
  const watch: HostWatch = watchHosts({
    hosts,
    probe: (host, signal) => probe(hostAt(hosts, host).bare, access, signal),
    awaited: 'answer for all shards',
    patience: access.patience ?? usualHostPatience,
    clock,
    logger,
  });
  const { close, ...statements } = storeOver(hosts, watch);
  const measured = { cluster: access.cluster, store: statements, clock };
  const skew = followSkew({ ...measured, metrics, logger });
  return {
    store: {
      ...statements,
      async close() {
        skew.stop();
        await close();
      },
    },
    coveredSkewMs,
    measureSkewMs: () => measureSkew(measured),
    whyNotReady: watch.whyNotReady,
    // Each reading of a table asks the shards anew, and perhaps another replica.
    readsAsOfOneMoment: () => false,
    async prepare(leavesAsFound) {
      const preparing = { access, hosts, migrations, clock };
      const topology = await (leavesAsFound ? requirePrepared : prepareCluster)(preparing);
      replicas = topology.replicas;
      logger.info({ ...topology }, 'the statistics cluster is prepared');
      await skew.measure();
    },
  };
}

interface WorkingHost extends ClusterHost {
  /** For all statements of the program. */
  readonly working: FactStore;
}

function hostAt(hosts: readonly WorkingHost[], place: number): WorkingHost {
  const host = hosts[place];
  assert(host, 'a cluster has hosts');
  return host;
}

function storeOver(hosts: readonly WorkingHost[], watch: HostWatch): FactStore {
  const reach = async <Answer>(ask: (store: FactStore) => Promise<Answer>): Promise<Answer> => {
    let host = watch.current();
    let failure: unknown;
    for (let turn = 0; turn < hosts.length; turn += 1) {
      const using = watch.signal(host);
      try {
        return await ask(hostAt(hosts, host).working);
      } catch (error) {
        failure = error;
        watch.hurry();
        const isReplaced = using.aborted && watch.whyNotReady() === undefined;
        if (!isReplaced && !isUnreachable(error)) break;
        host = isReplaced ? watch.current() : (host + 1) % hosts.length;
      }
    }
    throw failure;
  };
  return {
    createDatabase: () => reach((host) => host.createDatabase()),
    insertRows: (table, rows) => reach((host) => host.insertRows(table, rows)),
    insertText: (table, rows, columns) => reach((host) => host.insertText(table, rows, columns)),
    select: (query, settings) => reach((host) => host.select(query, settings)),
    selectMany: (query) => reach((host) => host.selectMany(query)),
    write: (query, format, signal) => reach((host) => host.write(query, format, signal)),
    command: (query, timeout) => reach((host) => host.command(query, timeout)),
    async onEachServer(work) {
      const answers: Awaited<ReturnType<typeof work>>[] = [];
      for (const { shard } of hosts) answers.push(await work(shard));
      return answers;
    },
    ping: () => reach((host) => host.ping()),
    async close() {
      await watch.stop();
      await Promise.all(hosts.flatMap((host) => [host.working.close(), closeHost(host)]));
    },
  };
}

/** Every shard has to answer, by one of its replicas. */
async function probe(
  host: FactStore,
  { cluster }: ClusterAccess,
  signal: AbortSignal,
): Promise<void> {
  await host.select(
    {
      name: 'look whether all shards answer',
      // The name is checked by the configuration: no parameter is taken there.
      sql: `SELECT count() AS shards FROM cluster('${cluster}', system.one)`,
      parameters: {},
    },
    { timeoutSeconds: 5, signal },
  );
}

/** Whether nothing was answered at all: then another host may do. */
function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  // Of the system; or of `fetch`, which writes files, for a connection that the host has ended.
  return /^(E[A-Z_]+|UND_ERR_SOCKET)$/.test(code);
}

/** For statements about the tables, which take as long as they take. */
export function openClusterHost(access: ClusterAccess, url: string): ClusterHost {
  const open = (database: string) =>
    openFactStore(accessOfHost(access, url, database), {}, { settings: clusterSettings });
  return {
    name: new URL(url).host,
    spanning: open(access.database),
    shard: open(nameShardDatabase(access)),
    bare: open('system'),
  };
}

export async function closeHost({ spanning, shard, bare }: ClusterHost): Promise<void> {
  await Promise.all([spanning.close(), shard.close(), bare.close()]);
}

/* How far apart the clocks of a cluster's servers are. Each stamps arrivals by its own, and the
 * roll-up looks back by the clock of the host in use: far enough for this much of a difference.
 */

export const coveredSkewMs = 10_000;
const measureEveryMs = 60_000;

interface SkewOptions {
  readonly cluster: string;
  readonly store: Pick<FactStore, 'select'>;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface FollowedSkew {
  /** Measures now, and then every minute; what cannot be measured is left for the next time. */
  measure(): Promise<void>;
  stop(): void;
}

export function followSkew(options: SkewOptions): FollowedSkew {
  const { cluster, store, metrics, clock, logger } = options;
  let skewMs = Number.NaN;
  let stop = () => {};
  addGauge(
    metrics,
    'playmeter_cluster_clock_skew_seconds',
    "Seconds between the clocks of the cluster's servers; NaN: not measured yet",
    () => skewMs / 1_000,
  );
  const measure = async (): Promise<void> => {
    stop();
    stop = clock.after(measureEveryMs, () => void measure());
    const measured = await measureSkew({ cluster, store, clock }).catch(() => undefined);
    if (measured === undefined) return;
    skewMs = measured;
    if (skewMs > coveredSkewMs) logger.error({ skewMs, coveredSkewMs }, complaint);
  };
  return { measure, stop: () => stop() };
}

const complaint =
  "the clocks of the statistics cluster's servers differ by more than is covered: " +
  'new playback may be missing from the statistics until they are set';

/** How far apart they certainly are now, ms. */
export async function measureSkew(
  options: Pick<SkewOptions, 'cluster' | 'store' | 'clock'>,
): Promise<number> {
  const { cluster, store, clock } = options;
  const startedAt = clock.monotonic();
  const rows = await store.select<{ spreadMs: number }>({
    name: 'measure clock skew',
    // Of the other functions of the time, the host in use would send its own to all.
    sql: `SELECT toUnixTimestamp64Milli(max(nowInBlock64(3)))
        - toUnixTimestamp64Milli(min(nowInBlock64(3))) AS spreadMs
      FROM clusterAllReplicas('${cluster}', system.one)`,
    parameters: {},
  });
  // The servers are asked within this time of each other.
  return Math.max(0, onlyRow(rows).spreadMs - (clock.monotonic() - startedAt));
}
