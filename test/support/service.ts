/** The whole service in this process: real catalog, real engine, real HTTP. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type AppContext, openService, type Service } from '../../src/app/service.ts';
import { configuredStore } from '../../src/app/store-access.ts';
import type { Config } from '../../src/config/config.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { openFactStore } from '../../src/store/client/store-client.ts';
import { accessOfHost, nameShardDatabase } from '../../src/store/cluster/topology.ts';
import { tables } from '../../src/store/tables/schema.ts';
import type { Scope } from '../../src/vocabulary/scopes.ts';
import type { StatisticAnswer } from '../../src/wire/questions/statistics-messages.ts';
import { checkAnswer } from './check-answer.ts';
import { dropDatabase } from './drop-database.ts';
import { busyPatience } from './engine-cluster.ts';
import { engineAccess, requireBuilt } from './shared-parts.ts';
import { wideBounds } from './wide-bounds.ts';

/** Tests ask for sums where they need them; services that look twice a second cost each other time. */
const unhurried = { everyMs: 2_000 };

const allScopes: readonly Scope[] = ['stats:read', 'info:read', 'collect:write', 'manage'];

export interface TestService extends Service, TestClient {
  readonly config: Config;
  /** An account with a key of all scopes. */
  addAccount(timeZone?: string): Promise<TestAccount>;
}

/** Requests to one service, whose answers are held to the OpenAPI document. */
export interface TestClient {
  readonly url: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** POSTs beacons; answers the whole response. */
  send(beacons: readonly unknown[], headers?: Record<string, string>): Promise<Response>;
  /** GETs a path with a key. */
  get(path: string, key: string): Promise<Response>;
  /** A request to a path under /manage/v1, with the key of a `TestAccount` or another. */
  manage(
    key: string,
    method: string,
    path: string,
    message?: unknown,
    headers?: Record<string, string>,
  ): Promise<Managed>;
  /** GETs a statistic; expects success. */
  ask(path: string, key: string): Promise<StatisticAnswer['data']>;
}

export interface Managed {
  readonly status: number;
  /** Undefined where the answer has none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any;
}

export interface TestAccount {
  readonly accountId: number;
  readonly timeZone: string;
  readonly key: string;
  addPackage(): Promise<number>;
  /** A new video, of a known length or not; its accessKey. */
  addVideo(durationMs?: number): Promise<string>;
  /** Puts a video into a package; the videoKey. */
  publish(packageId: number, accessKey: string): Promise<string>;
}

/** A video that is published in a package of its own. */
export async function addFilm(account: TestAccount) {
  const [packageId, accessKey] = [await account.addPackage(), await account.addVideo()];
  return { packageId, accessKey, videoKey: await account.publish(packageId, accessKey) };
}

/** Of the timers as they were: another file in this process may put others in place for a while. */
const keptClock = keepClock();

function keepClock(): Clock {
  const { setTimeout, clearTimeout, performance } = globalThis;
  const { now } = Date;
  return {
    now: () => now(),
    monotonic: performance.now.bind(performance),
    after(delayMs, work) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  };
}

export interface TestServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Parts of the clock; the others are the system's. Those of the engine run on. Of a ManualClock
   * its `readings`, never the whole: the service would wait for ever between two inserts.
   */
  readonly clock?: Partial<Clock> & { readonly readings?: never };
  readonly pace?: NonNullable<AppContext['pace']>;
  /** Default: as usual; 0: facts are read as of ranges that have many. */
  readonly fewFacts?: number;
  /** Default: that of a busy machine, where nothing hangs. */
  readonly hostPatience?: NonNullable<AppContext['hostPatience']>;
  readonly role?: NonNullable<AppContext['role']>;
  readonly accepts?: NonNullable<AppContext['accepts']>;
  /** Default: errors, to standard error. */
  readonly log?: AppContext['logger'];
  /** False for a statistics store that never comes; default true. */
  readonly waitsForStores?: boolean;
}

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-test-'));
  requireBuilt('pages');
  const engine = engineAccess();
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const config = readConfig({
    DATA_DIR: folder,
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_USER: engine.username,
    CLICKHOUSE_PASSWORD: engine.password,
    CLICKHOUSE_DATABASE: database,
    RATE_LIMIT_PER_MINUTE: '1000000',
    COLLECT_LIMIT_PER_MINUTE: '1000000',
    PAGE_LIMIT_PER_MINUTE: '1000000',
    MANAGE_LIMIT_PER_MINUTE: '1000000',
    WRONG_KEY_LIMIT_PER_MINUTE: '1000000',
    ...wideBounds,
    ...options.environment,
  });
  const isOwn = config.CLICKHOUSE_URL === engine.url && config.CLICKHOUSE_DATABASE === database;
  const logger = options.log ?? pino({ level: 'error' }, pino.destination(2));
  const service = await openService({
    config,
    clock: { ...keptClock, ...options.clock },
    logger,
    pace: options.pace ?? unhurried,
    ...(options.fewFacts === undefined ? {} : { fewFacts: options.fewFacts }),
    hostPatience: options.hostPatience ?? busyPatience,
    ...(options.role ? { role: options.role } : {}),
    ...(options.accepts ? { accepts: options.accepts } : {}),
    comparesClock: options.clock?.now === undefined,
  });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  if (options.waitsForStores ?? true) {
    await service.facts.ready();
    if (options.clock?.now !== undefined) await keepEvents(config);
  }
  const { port } = service.app.server.address() as AddressInfo;
  return {
    ...service,
    ...testClientOf(`http://127.0.0.1:${port}`),
    config,
    addAccount: (timeZone = 'UTC') => addAccount(service, timeZone),
    async stop() {
      await service.stop();
      if (isOwn) await dropDatabase({ ...engine, urls: [engine.url] }, database);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The engine would drop events nine days after theirs, by its own clock and not the test's. */
async function keepEvents(config: Config): Promise<void> {
  const access = configuredStore(config);
  if (access === undefined) return;
  const servers =
    'cluster' in access
      ? access.urls.map((url) => accessOfHost(access, url, nameShardDatabase(access)))
      : [access];
  const sql = `ALTER TABLE ${tables.event.name} MODIFY TTL day + toIntervalYear(100)`;
  for (const server of servers) {
    const store = openFactStore(server);
    await store.command({ name: 'keep events', sql, parameters: {} });
    await store.close();
  }
}

export function testClientOf(url: string): TestClient {
  const request = async (path: string, init: RequestInit = {}) =>
    checkAnswer(init.method ?? 'GET', await fetch(url + path, init));
  const get = (path: string, key: string) => request(path, { headers: { 'x-api-key': key } });
  return {
    url,
    request,
    send: (beacons, headers = {}) =>
      request('/collect/v1/beacons', {
        method: 'POST',
        headers: { 'content-type': 'text/plain', ...headers },
        body: JSON.stringify({ beacons }),
      }),
    get,
    async manage(key, method, path, message, headers = {}) {
      const json = message === undefined ? {} : { 'content-type': 'application/json' };
      const response = await request(`/manage/v1${path}`, {
        method,
        headers: { 'x-api-key': key, ...json, ...headers },
        ...(message === undefined ? {} : { body: JSON.stringify(message) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async ask(path, key) {
      const response = await get(path, key);
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
      return (JSON.parse(text) as StatisticAnswer).data;
    },
  };
}

async function addAccount({ catalog }: Service, timeZone: string): Promise<TestAccount> {
  const { accountId } = accepted(await catalog.accounts.create({ name: 'Test', timeZone }));
  const { secret } = accepted(await catalog.keys.create({ accountId, scopes: allScopes }));
  const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'Films' }));
  return {
    accountId,
    timeZone,
    key: secret,
    async addPackage() {
      const fields = { packageName: 'Site', packageType: 'VOD' as const };
      return accepted(await catalog.packages.create(accountId, fields)).packageId;
    },
    async addVideo(durationMs) {
      const video = { folderId, title: 'Film', ...(durationMs !== undefined && { durationMs }) };
      return accepted(await catalog.videos.create(accountId, video)).accessKey;
    },
    async publish(packageId, accessKey) {
      const name = { accountId, packageId, accessKey };
      return accepted(await catalog.publications.publish(name)).videoKey;
    },
  };
}
