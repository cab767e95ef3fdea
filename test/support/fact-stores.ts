/** The ways to open the facts, for the contract suite. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { hostsOfNode } from '../../scripts/cluster/hosts-of-node.ts';
import { type Clock, systemClock } from '../../src/lib/time/clock.ts';
import type { VerdictSource } from '../../src/store/facts.ts';
import { type Facts, openFacts } from '../../src/store/open-facts.ts';
import type { StoreAccess } from '../../src/store/open-store.ts';
import type { RollUpPace } from '../../src/store/roll-up/roll-up.ts';
import { dropDatabase } from './drop-database.ts';
import type { Kind } from './each-kind.ts';
import { startEngineCluster } from './engine-cluster.ts';
import { engineAccess } from './shared-parts.ts';

/** A store without facts. */
export interface FactsLocation {
  readonly database: string;
  readonly folder: string;
}

export interface FactStoreKind extends Kind {
  newLocation(): Promise<FactsLocation>;
  /** Of how many random cases a suite tries here: what three engines share takes long. */
  someOf(usual: number): number;
  /** The URL of the server that the first node of a location asks first. */
  firstUrl(): Promise<string>;
  /**
   * As a process of its own would; resolves when it is ready. One `node` at a time. On a cluster
   * each node of a location asks another server first.
   */
  open(location: FactsLocation, node?: string, other?: OtherOptions): Promise<Facts>;
  /** Closes what is open. */
  stop(): Promise<void>;
}

interface OtherOptions {
  readonly pace?: Partial<RollUpPace>;
  readonly verdicts?: VerdictSource;
  /** Another way to the server of `firstUrl`, which this node asks first, whichever it is. */
  readonly url?: string;
  /** Default: the clock of this machine. */
  readonly clock?: Clock;
}

/** Sums only when a test asks, and then all days. */
const askedOnly = { everyMs: 2 ** 30, daysEveryMs: 0 };

export function factStores(): FactStoreKind[] {
  return [
    bundledEngine(),
    ...[configuredServer(), clusterOfThree()].map((kind) => ({ ...kind, tags: ['long' as const] })),
  ];
}

/** Those that sum in ways of their own: whether facts wait in a journal first makes no difference. */
export function summingStores(): FactStoreKind[] {
  return [bundledEngine(), { ...clusterOfThree(), tags: ['long'] }];
}

const bundledEngine = () =>
  kindOf('the bundled engine, with a journal', {
    optionsOf: ({ folder }, node) => ({ journalFolder: join(folder, node, 'journal') }),
  });

const configuredServer = () => kindOf('a configured server, without a journal', {});

const clusterOfThree = () =>
  kindOf('a cluster of three shards', {
    startServers: ownCluster,
    someOf: (usual) => Math.ceil(usual / 3),
  });

type Options = Pick<Parameters<typeof openFacts>[0], 'journalFolder'>;

interface KindOptions {
  readonly optionsOf?: (location: FactsLocation, node: string) => Options;
  /** Default: the engine that all test files share. */
  readonly startServers?: () => Promise<Servers>;
  /** Default: all. */
  readonly someOf?: FactStoreKind['someOf'];
}

interface Servers {
  readonly firstUrl: string;
  /** Of a node, numbered from 0; or by way of `url` to the first server. */
  accessOf(database: string, node: number, url?: string): StoreAccess;
  /** Without a trace of these databases. */
  leave(databases: readonly string[]): Promise<void>;
}

const sharedEngine = async (): Promise<Servers> => {
  const access = engineAccess();
  return {
    firstUrl: access.url,
    accessOf: (database, _, url = access.url) => ({ ...access, url, database }),
    async leave(databases) {
      for (const database of databases) {
        await dropDatabase({ ...access, urls: [access.url] }, database);
      }
    },
  };
};

/** Of a kind: three engines that wait for the next file would take more than to start three. */
const ownCluster = async (): Promise<Servers> => {
  const { access, stop } = await startEngineCluster();
  const [firstUrl = '', ...others] = access.urls;
  return {
    firstUrl,
    accessOf: (database, node, url) => ({
      ...access,
      urls: url === undefined ? hostsOfNode(access.urls, node) : [url, ...others],
      database,
    }),
    leave: stop,
  };
};

function kindOf(
  name: string,
  { optionsOf = () => ({}), startServers = sharedEngine, someOf = (usual) => usual }: KindOptions,
): FactStoreKind {
  let started: Promise<Servers> | undefined;
  const servers = (): Promise<Servers> => {
    started ??= startServers();
    return started;
  };
  const opened: Facts[] = [];
  /** With the names of their nodes, in the order in which these were first opened. */
  const locations = new Map<FactsLocation, string[]>();
  const numberOf = (location: FactsLocation, node: string): number => {
    const nodes = locations.get(location) ?? [];
    if (!nodes.includes(node)) nodes.push(node);
    return nodes.indexOf(node);
  };
  return {
    name,
    someOf,
    async newLocation() {
      const folder = await mkdtemp(join(tmpdir(), 'playmeter-facts-'));
      const location = { folder, database: `test_${randomUUID().replaceAll('-', '')}` };
      locations.set(location, []);
      return location;
    },
    firstUrl: async () => (await servers()).firstUrl,
    async open(location, node = 'node', { pace, verdicts, url, clock = systemClock } = {}) {
      const { database } = location;
      const { accessOf } = await servers();
      const number = numberOf(location, node);
      const facts = openFacts({
        access: accessOf(database, number, url),
        ...optionsOf(location, node),
        clock,
        logger: pino({ level: 'error' }, pino.destination(2)),
        metrics: new Registry(),
        pace: { ...askedOnly, ...pace },
        ...(verdicts && { verdicts }),
      });
      opened.push(facts);
      await facts.ready();
      return facts;
    },
    async stop() {
      await Promise.all(opened.map((facts) => facts.close()));
      const left = [...locations.keys()];
      await (await started)?.leave(left.map(({ database }) => database));
      for (const { folder } of left) await rm(folder, { recursive: true, force: true });
    },
  };
}
