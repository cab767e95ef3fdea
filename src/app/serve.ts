/** Runs the service: listens, logs when and where it is ready, and shuts down when asked. */
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { clipFields, clipSizeBytes, placeClip } from '../import/clip-file.ts';
import { findCollector, giveBackMemory } from '../lib/memory-release.ts';
import { sleep } from '../lib/time/clock.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { Fault } from '../vocabulary/faults.ts';
import { scopes } from '../vocabulary/scopes.ts';
import { shownConfig } from './log/service-log.ts';
import { findContentFolder, ownUrl } from './own-urls.ts';
import { nameOfCatalog } from './parts/configured-catalog.ts';
import { mostOpenFiles } from './parts/http-options.ts';
import { type AppContext, openService, type Service } from './service.ts';
import { nameOfStore } from './store-access.ts';
import { version } from './version.ts';

const firstKeyFile = 'first-key.txt';
const firstSignInFile = 'first-sign-in.txt';
const stopWithinMs = 20_000;
const readyPollMs = 50;
const complainEveryMs = 1_000;

/** Standard output. */
export interface Output {
  print(line: string): void;
  /** False if it goes to a file, or to the journal of the system, which others may read. */
  readonly isTerminal: boolean;
}

/** The first line of the log, whatever becomes of the start. */
export function logStart({ config, logger, role = 'all' }: AppContext): void {
  const { version: node } = process;
  logger.info({ version, node, role, config: shownConfig(config) }, 'starting');
}

/** Resolves when the service has been asked to stop and has stopped. */
export async function serve(given: AppContext, output: Output): Promise<void> {
  const collect = findCollector(globalThis);
  const endGivingBack = collect ? giveBackMemory({ clock: given.clock, collect }) : () => {};
  await serveUntilAsked(given, output).finally(endGivingBack);
}

/** With fewer it would start, and fail at something else each time. */
const leastOpenFiles = 256;

/** Throws UNAVAILABLE where this process may open too few files. */
export function requireOpenFiles(most = mostOpenFiles()): void {
  if (most >= leastOpenFiles) return;
  throw new Fault(
    'UNAVAILABLE',
    `This process may open only ${most} files, which is too few for a service: ` +
      'raise `ulimit -n` (LimitNOFILE of systemd) to 65536',
  );
}

async function serveUntilAsked(around: AppContext, { print, isTerminal }: Output): Promise<void> {
  const { config, logger } = around;
  const stopping = new AbortController();
  const stopSignal = whenAskedToStop().finally(() => stopping.abort());
  const service = await openService(around);
  try {
    await listen(service, config);
    const first = await prepareIfAnnouncing(around, service);
    const url = findUrl(service, config);
    const ofKey = first ? announceFirst(first, url) : [];
    const ofPerson = await inviteFirst(around, service, url);
    // Shown or kept whatever else goes wrong: it is there only once.
    const shown = isTerminal
      ? [...ofPerson, ...ofKey]
      : [
          ...(await keepForOwner(config, firstSignInFile, ofPerson)),
          ...(await keepForOwner(config, firstKeyFile, ofKey)),
        ];
    if (await becomesReady(service, around, stopping.signal)) {
      await sayWhatWasRecovered(service, around);
      const lines = isAnnouncing(around) ? announce(service, config) : [];
      for (const line of lines) print(line);
    }
    for (const line of shown) print(line);
    logger.info({ signal: await stopSignal }, 'stopping');
  } finally {
    setTimeout(() => {
      logger.error('could not stop in time');
      process.exit(1);
    }, stopWithinMs).unref();
    await service.stop();
  }
}

/** A run that stopped in order leaves nothing in the journal. */
async function sayWhatWasRecovered({ facts }: Service, { logger }: AppContext): Promise<void> {
  const { files, facts: replayed, keptFiles } = facts.recovered();
  // Known a moment later, by the metrics and `doctor`, if the store is away again already.
  const health = await facts.upkeep.health().catch(() => undefined);
  const partsSetAside = health?.partsSetAside ?? 0;
  if (files + keptFiles + partsSetAside === 0) return;
  const isLosing = keptFiles + partsSetAside > 0;
  const about = { journalFiles: files, facts: replayed, keptFiles, partsSetAside };
  logger[isLosing ? 'warn' : 'info'](about, 'recovered what the last run left');
}

/** Of nodes that divide the work, each needs the stores of the others. */
export function requireSharedStores({ role = 'all', config }: AppContext): void {
  if (role === 'all' || (config.CLICKHOUSE_URL && config.DATABASE_URL)) return;
  throw new Fault(
    'CONFLICT',
    `--role ${role} is for one of several nodes: set CLICKHOUSE_URL and DATABASE_URL, the same ` +
      'on all',
  );
}

/**
 * False if it was asked to stop before. Meanwhile the log says once a second what it waits for.
 * Throws where waiting cannot help: a migration that failed, a store of a later release.
 */
async function becomesReady(
  { facts }: Service,
  { logger, clock }: AppContext,
  stopping: AbortSignal,
): Promise<boolean> {
  let complainAt = clock.monotonic() + complainEveryMs;
  let failure: unknown;
  facts.ready().catch((error) => {
    failure = error;
  });
  while (!stopping.aborted) {
    if (failure !== undefined) throw failure;
    const reason = facts.whyNotReady();
    if (reason === undefined) return true;
    if (clock.monotonic() >= complainAt) {
      logger.warn({ reason }, 'not ready: waiting for the statistics store');
      complainAt += complainEveryMs;
    }
    await sleep(clock, readyPollMs, stopping);
  }
  return false;
}

/** Of workers the first one speaks for all, once. */
function isAnnouncing({ worker }: AppContext): boolean {
  return worker === undefined || (worker.number === 1 && worker.isFirstStart);
}

async function prepareIfAnnouncing(around: AppContext, { catalog }: Service) {
  if (!isAnnouncing(around)) return undefined;
  return prepareFirstStart(catalog, findContentFolder(around.config));
}

function announce(service: Service, config: Config): string[] {
  const places = placesInUse(config).map((place) => `  ${place}`);
  return [`Playmeter is ready: ${findUrl(service, config)}`, ...places];
}

/**
 * While there is nobody, each start has a link for the first person: another one is void from then
 * on. It is in no log.
 */
async function inviteFirst(
  around: AppContext,
  { catalog }: Service,
  url: string,
): Promise<string[]> {
  const { role = 'all' } = around;
  if (!isAnnouncing(around) || !(role === 'all' || role === 'report')) return [];
  const token = await catalog.invitations.createFirst();
  if (token === undefined) return [];
  return [`  Become the first person to sign in (once, within a day): ${url}/#invitation=${token}`];
}

const whatIsKept = {
  [firstSignInFile]: 'The link for the first person to sign in',
  [firstKeyFile]: 'The first API key',
};

/** Writes secrets into a file that only the owner of the service reads; returns where it is. */
async function keepForOwner(
  config: Config,
  name: keyof typeof whatIsKept,
  lines: readonly string[],
): Promise<string[]> {
  if (lines.length === 0) return [];
  const file = join(config.DATA_DIR, name);
  // One of an earlier catalog would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, lines.map((line) => `${line.trim()}\n`).join(''), { mode: 0o600 });
  return [`  ${whatIsKept[name]} is in a file; read it, then delete it: ${file}`];
}

/** Where this service keeps its data, by the configuration. */
export function placesInUse(config: Config): string[] {
  return [
    `Data folder: ${config.DATA_DIR}`,
    `Catalog: ${nameOfCatalog(config)}`,
    `Statistics: ${nameOfStore(config)}`,
  ];
}

function announceFirst(first: FirstStart, url: string): string[] {
  const { accountId, key, videoKey } = first;
  return [
    `  Account ${accountId}, API key (shown only once): ${key}`,
    `  Play a clip, and see it counted in the dashboard: ${url}/watch/${videoKey}`,
  ];
}

/**
 * Connections that the system queues until they are accepted, unless its own limit is lower. A
 * whole site may come back at once; beyond the limit, a player's system tries again only after
 * seconds.
 */
const backlog = 4_096;

async function listen({ app }: Service, { HOST: host, PORT: port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog });
  } catch (cause) {
    throw new Fault('UNAVAILABLE', `Cannot listen on ${host}, port ${port}: set HOST or PORT`, {
      cause,
    });
  }
}

/**
 * TRICKY: a permanent listener, not `once`. An interrupt typed at a terminal comes twice, from the
 * terminal and from the parent process, and the second must not end it half-way.
 */
export function whenAskedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
  });
}

function findUrl({ app }: Service, { PUBLIC_URL: publicUrl }: Config): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const { address, port } = app.server.address() as AddressInfo;
  return ownUrl(address, port);
}

const title = 'A first clip';

interface FirstStart {
  readonly accountId: number;
  /** Has all scopes; shown once. */
  readonly key: string;
  readonly videoKey: string;
}

/**
 * The first start: creates an account with a real clip, so that there is something to try.
 * Undefined if there are accounts already.
 */
export async function prepareFirstStart(
  catalog: Catalog,
  contentFolder: string,
): Promise<FirstStart | undefined> {
  if ((await catalog.accounts.list()).length > 0) return undefined;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { accountId } = accepted(
    await catalog.accounts.create({ name: 'First account', timeZone }),
  );
  const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'Videos' }));
  const { packageId } = accepted(await catalog.packages.create(accountId, { packageName: 'Site' }));
  const fields = { title, fileSizeBytes: await clipSizeBytes(), ...clipFields };
  const video = accepted(await catalog.videos.create(accountId, { folderId, ...fields }));
  await placeClip(contentFolder, video.videoId);
  const { accessKey } = video;
  const { videoKey } = accepted(
    await catalog.publications.publish({ accountId, packageId, accessKey }),
  );
  const { secret: key } = accepted(await catalog.keys.create({ accountId, scopes }));
  return { accountId, key, videoKey };
}
