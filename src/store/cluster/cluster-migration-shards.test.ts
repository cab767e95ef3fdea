/**
 * Which statements each server of a cluster without a Keeper gets, and in which order, on the wire.
 * Real servers run them in test/faults/cluster.test.ts; with a Keeper:
 * cluster-migration-replicated.test.ts.
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import {
  type Asked,
  type RecordingServer,
  startRecordingServer,
} from '../../../test/support/recording-server.ts';
import { computeChecksum } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/migrations.ts';
import { tables } from '../tables/schema.ts';
import { type ClusterPlacement, createStatements, spanningStatement } from '../tables/table.ts';
import { findUnprepared, prepareCluster, requirePrepared } from './cluster-migration.ts';
import { closeHost, openClusterHost } from './cluster-store.ts';

const access = { cluster: 'plays', urls: [], username: 'one', password: '', database: 'stats' };
const placement: ClusterPlacement = {
  ...{ kind: 'cluster', name: 'plays', shardDatabase: 'stats_shard' },
  replicated: false,
};
const migration: Migration = {
  name: '0001-first',
  statements: ['CREATE TABLE IF NOT EXISTS peak (n UInt8) ENGINE = MergeTree ORDER BY n'],
};
const record = { name: migration.name, checksum: computeChecksum(migration) };
const everyTable = Object.values(tables);

interface Shard {
  readonly isMigrated: boolean;
  readonly hasTables: boolean;
  /** Of stretch. */
  readonly rows: number;
  /** A table with a column that the one over all shards lacks. */
  readonly changed: string | undefined;
}
const emptyShard: Shard = { isMigrated: false, hasTables: false, rows: 0, changed: undefined };
const preparedShard: Shard = { ...emptyShard, isMigrated: true, hasTables: true };

/** By the place of the server in the order of names. */
let shards: Shard[];
let servers: RecordingServer[];
/** What changes something, in the order in which it came. */
let changes: string[];
let options: Parameters<typeof prepareCluster>[0];

beforeEach(async () => {
  [shards, servers, changes] = [[], [], []];
  const started = [await startRecordingServer(answer), await startRecordingServer(answer)];
  servers.push(...started.sort((one, other) => (one.host < other.host ? -1 : 1)));
  // Not in their order.
  const hosts = servers.toReversed().map(({ url }) => openClusterHost(access, url));
  options = { access, hosts, migrations: [migration], clock: manualClock() };
  onTestFinished(async () => {
    await Promise.all(hosts.map(closeHost));
    await Promise.all(servers.map((server) => server.close()));
  });
});

function answer({ host, sql, parameters }: Asked): readonly object[] {
  const place = servers.findIndex((server) => server.host === host);
  if (/^(CREATE|ALTER|INSERT)/.test(sql)) {
    changes.push(`${place} in ${parameters.database}: ${sql}`);
    return [];
  }
  const { isMigrated, hasTables, rows, changed } = shards[place] ?? emptyShard;
  const answers: Record<string, () => readonly object[]> = {
    'FROM system.clusters': () => {
      expect(parameters).toMatchObject({ param_cluster: 'plays' });
      return servers.map((_, index) => ({
        ...{ shard: index + 1, replica: 1, address: `ch-${index}:9000` },
        isOwn: index === place ? 1 : 0,
      }));
    },
    "name = 'zookeeper'": () => [{ tables: 0 }],
    'AS facts FROM system.tables': () => {
      expect(parameters).toMatchObject({ param_database: 'stats_shard', param_table: 'stretch' });
      return [{ tables: hasTables ? 1 : 0, facts: hasTables ? rows : null }];
    },
    'SELECT name FROM system.tables': () => {
      expect([parameters.database, parameters.param_database]).toContain('stats_shard');
      return isMigrated ? [{ name: 'migration' }] : [];
    },
    'SELECT DISTINCT name, checksum': () => {
      expect(parameters).toMatchObject({ database: 'stats_shard' });
      return isMigrated ? [record] : [];
    },
    'HAVING max(ended) = 0': () => [],
    'FROM system.columns': () => {
      expect(parameters).toMatchObject({ param_databases: "['stats','stats_shard']" });
      return isMigrated ? everyTable.flatMap((table) => describe(table.name, changed)) : [];
    },
  };
  const found = Object.entries(answers).find(([words]) => sql.includes(words));
  return found?.[1]() ?? expect.fail(`nobody expects the statement ${sql}`);
}

/** A table over all shards, and that of a shard. */
function describe(name: string, changed: string | undefined): readonly object[] {
  const { shardBy } = everyTable.find((table) => table.name === name) ?? expect.fail();
  const engine = `Distributed('plays', 'stats_shard', '${name}', ${shardBy})`;
  return [
    { database: 'stats', name, columns: 'n', engine },
    { database: 'stats_shard', name, columns: name === changed ? 'n, m' : 'n', engine: 'Merge' },
  ];
}

/** What a prepared server gets anyway, in the database of its shard and in the other. */
const ofShard = (place: number) => [
  `${place} in undefined: CREATE DATABASE IF NOT EXISTS {database:Identifier}`,
  ...[tables.migration, tables.migrating].flatMap((table) =>
    createStatements(table, { kind: 'server' }).map((sql) => `${place} in stats_shard: ${sql}`),
  ),
];
const ofAll = (place: number) =>
  `${place} in undefined: CREATE DATABASE IF NOT EXISTS {database:Identifier}`;
const spans = (place: number, table: (typeof everyTable)[number]) =>
  `${place} in stats: ${spanningStatement(table, placement)}`;
const hostOf = (place: number) => servers[place]?.host;

test('servers are migrated one after the other, and only then made to span all shards', async () => {
  const done: number[] = [];
  const noteDone = () => void done.push(changes.length);
  const topology = await prepareCluster({ ...options, noteDone });
  expect(topology).toEqual({ shards: 2, replicas: 1, hasKeeper: false });
  const claim = 'INSERT INTO migrating (id, ended) SELECT {id:UUID}, {ended:UInt8}';
  const migrated = (place: number) => [
    ...ofShard(place),
    ...[claim, ...migration.statements].map((sql) => `${place} in stats_shard: ${sql}`),
    expect.stringContaining(`${place} in stats_shard: INSERT INTO migration (name, checksum)`),
    `${place} in stats_shard: ${claim}`,
  ];
  const made = (place: number) => [ofAll(place), ...everyTable.map((table) => spans(place, table))];
  expect(changes).toEqual([...migrated(0), ...migrated(1), ...made(0), ...made(1)]);
  const perShard = migrated(0).length;
  // Before the claim is given back.
  expect(done).toEqual([perShard - 1, 2 * perShard - 1]);
});

test('of a prepared cluster nothing is to be done, and nothing changes', async () => {
  shards = [preparedShard, preparedShard];
  expect(await findUnprepared(options)).toEqual([]);
  expect(await requirePrepared(options)).toEqual({ shards: 2, replicas: 1, hasKeeper: false });
  expect(changes).toEqual([]);
  await prepareCluster(options);
  expect(changes).toEqual([...ofShard(0), ...ofShard(1), ofAll(0), ofAll(1)]);
});

test('what is to be done is listed for each server, and refused where it may not be', async () => {
  shards = [
    { ...preparedShard, changed: 'peak' },
    { ...emptyShard, hasTables: true },
  ];
  // In the order in which the hosts are named.
  expect(await findUnprepared(options)).toEqual([
    `${hostOf(1)}: migration 0001-first is not applied`,
    `${hostOf(0)}: table peak does not span all shards`,
  ]);
  await expect(requirePrepared(options)).rejects.toMatchObject({
    code: 'CONFLICT',
    message:
      'The statistics cluster is not prepared for this release: ' +
      `${hostOf(1)}: migration 0001-first is not applied`,
  });
  expect(changes).toEqual([]);
  await prepareCluster(options);
  expect(changes.filter((sql) => sql.startsWith('0 in stats: '))).toEqual([spans(0, tables.peak)]);
});

test.each<[string, Shard[], added: number, used: number]>([
  ['first', [emptyShard, { ...preparedShard, rows: 1 }], 0, 1],
  ['last', [{ ...preparedShard, rows: 1 }, emptyShard], 1, 0],
])('a new server, the %s, is refused beside one that has facts', async (...given) => {
  const [, found, added, used] = given;
  shards = found;
  const refusal = {
    code: 'INTERNAL',
    message: expect.stringContaining(
      `${hostOf(added)} has no tables, while ${hostOf(used)} has facts. A shard is added by `,
    ),
  };
  for (const ask of [prepareCluster, findUnprepared, requirePrepared]) {
    await expect(ask(options)).rejects.toMatchObject(refusal);
  }
  expect(changes).toEqual([]);
});

test.each([
  ['a new server beside one without facts', [emptyShard, preparedShard]],
  [
    'servers that all have facts',
    [preparedShard, preparedShard].map((one) => ({ ...one, rows: 1 })),
  ],
])('%s: may be prepared', async (_, given) => {
  shards = [...given];
  expect(await prepareCluster(options)).toMatchObject({ shards: 2 });
});
