/** The ways to open the facts, for the contract suite. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { inject } from 'vitest';
import type { VerdictSource } from '../../src/facts/facts.ts';
import { type Facts, openFacts } from '../../src/facts/open-facts.ts';
import type { StoreAccess } from '../../src/facts/open-store.ts';
import type { RollUpPace } from '../../src/facts/roll-up.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { startEngineCluster } from './engine-cluster.ts';

/** A store without facts. */
export interface FactsLocation {
  readonly database: string;
  readonly folder: string;
}

export interface FactStoreKind {
  readonly name: string;
  newLocation(): Promise<FactsLocation>;
  /** Of how many random cases a suite tries here: what three engines share takes long. */
  someOf(usual: number): number;
  /** The address of the server that is asked first. */
  firstUrl(): Promise<string>;
  /** As a process of its own would; resolves when it is ready. One `node` at a time. */
  open(location: FactsLocation, node?: string, other?: OtherOptions): Promise<Facts>;
  /** Closes what is open. */
  stop(): Promise<void>;
}

interface OtherOptions {
  readonly pace?: Partial<RollUpPace>;
  readonly verdicts?: VerdictSource;
  /** Another way to the server that is asked first. */
  readonly url?: string;
}

/** Sums only when a test asks, and then all days. */
const askedOnly = { everyMs: 2 ** 30, daysEveryMs: 0 };

export function factStores(): FactStoreKind[] {
  return [bundledEngine(), configuredServer(), clusterOfThree()];
}

/** Those that sum in ways of their own: whether facts wait in a journal first makes no difference. */
export function summingStores(): FactStoreKind[] {
  return [bundledEngine(), clusterOfThree()];
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
  /** By way of `url` to the first. */
  accessOf(database: string, url: string): StoreAccess;
  stop(): Promise<void>;
}

const sharedEngine = async (): Promise<Servers> => ({
  firstUrl: inject('engineAccess').url,
  accessOf: (database, url) => ({ ...inject('engineAccess'), url, database }),
  stop: async () => {},
});

const ownCluster = async (): Promise<Servers> => {
  const { access, stop } = await startEngineCluster();
  const [firstUrl = '', ...others] = access.urls;
  return {
    firstUrl,
    accessOf: (database, url) => ({ ...access, urls: [url, ...others], database }),
    stop,
  };
};

function kindOf(
  name: string,
  { optionsOf = () => ({}), startServers = sharedEngine, someOf = (usual) => usual }: KindOptions,
): FactStoreKind {
  let starting: Promise<Servers> | undefined;
  const servers = () => {
    starting ??= startServers();
    return starting;
  };
  const opened: Facts[] = [];
  const folders: string[] = [];
  return {
    name,
    someOf,
    async newLocation() {
      const folder = await mkdtemp(join(tmpdir(), 'playmeter-facts-'));
      folders.push(folder);
      return { folder, database: `test_${randomUUID().replaceAll('-', '')}` };
    },
    firstUrl: async () => (await servers()).firstUrl,
    async open(location, node = 'node', { pace, verdicts, url } = {}) {
      const { database } = location;
      const { firstUrl, accessOf } = await servers();
      const facts = openFacts({
        access: accessOf(database, url ?? firstUrl),
        ...optionsOf(location, node),
        clock: systemClock,
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
      await (await starting)?.stop();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
