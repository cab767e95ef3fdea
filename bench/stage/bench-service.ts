/** The service under test: the real program in a process of its own, with what a figure needs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { type CatalogLocation, openCatalog } from '../../src/catalog/open-catalog.ts';
import { waitForEngine } from '../../src/engine/running-engine.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { scopes } from '../../src/vocabulary/scopes.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { wideBounds } from '../../test/support/wide-bounds.ts';
import { type BareEngine, openBareEngine } from './bare-engine.ts';
import { type ProcessorTime, processorTimeOf } from './processor-time.ts';

/** The length of each video. */
export const filmMs = 600_000;

/** What pages may tell, in the order of their numbers. */
export const labelNames = ['plan', 'course'];

const foldersPerAccount = 10;

export const collectPath = '/collect/v1/beacons';

export interface BenchAccount {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
  /** In the order of their videos' ids. */
  readonly accessKeys: readonly string[];
  readonly videoKeys: readonly string[];
  readonly key: string;
}

export interface BenchService {
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** Its catalog, opened beside it. */
  readonly catalog: CatalogLocation;
  /** The engine of the service, spoken to without the service. */
  engine(): Promise<BareEngine>;
  addAccount(videos: number): Promise<BenchAccount>;
  /** Resident memory of the service and its engine together. */
  residentMb(): number;
  /** What it and its engine have used since they started. */
  processorTime(): ProcessorTime;
  /** Stops it in order; `start` starts it again on the same data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  run(...words: string[]): Promise<Record<string, unknown>>;
  remove(): Promise<void>;
}

/** What is measured is the service, not its limits. */
export const wideSettings = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  COLLECT_LIMIT_PER_MINUTE: '100000000',
  ENGINE_SECONDS_PER_MINUTE: '10000',
  ...wideBounds,
};

/** `keptIn`: a folder whose data stay there, and are found there again. */
export async function startBenchService(
  more: Readonly<Record<string, string>> = {},
  keptIn?: string,
): Promise<BenchService> {
  const joins = keptIn !== undefined && existsSync(join(keptIn, 'catalog.sqlite'));
  const settings = { ...wideSettings, ...more };
  const service = await startServiceProcess(settings, { dataFolder: keptIn, joins });
  const { url, dataFolder, run, remove } = service;
  const catalog = { sqliteFile: join(dataFolder, 'catalog.sqlite') };
  return {
    url,
    port: Number(new URL(url).port),
    dataFolder,
    run,
    remove,
    async engine() {
      const access = await waitForEngine(join(dataFolder, 'engine'), systemClock);
      return openBareEngine(access);
    },
    catalog,
    addAccount: (videos) => addAccount(catalog, videos),
    residentMb: service.residentMb,
    processorTime: () => processorTimeOf(service.engineProcesses().at(-1) ?? 0),
    async stop() {
      await service.kill('SIGTERM');
    },
    start: service.start,
  };
}

/** In the catalog of the service, beside it; as the command line does, without a process each. */
export async function addAccount(location: CatalogLocation, videos: number): Promise<BenchAccount> {
  const catalog = await openCatalog({ location, clock: systemClock });
  try {
    const { accountId } = accepted(
      await catalog.accounts.create({ name: 'Bench', timeZone: 'UTC' }),
    );
    for (const name of labelNames) accepted(await catalog.labels.create(accountId, name));
    return await furnishAccount(catalog, accountId, { videos, folders: foldersPerAccount });
  } finally {
    await catalog.close();
  }
}

/** A key, and videos in one package. */
export async function furnishAccount(
  catalog: Catalog,
  accountId: number,
  { videos, folders }: { readonly videos: number; readonly folders: number },
): Promise<BenchAccount> {
  const { secret } = accepted(await catalog.keys.create({ accountId, scopes }));
  const folderIds: number[] = [];
  for (let number = 1; number <= folders; number += 1) {
    const folderName = `Films ${number}`;
    folderIds.push(accepted(await catalog.folders.create(accountId, { folderName })).folderId);
  }
  const { packageId } = accepted(await catalog.packages.create(accountId, { packageName: 'Site' }));
  const videoKeys: string[] = [];
  const accessKeys: string[] = [];
  let first: number | undefined;
  for (let index = 0; index < videos; index += 1) {
    const folderId = folderIds[index % folders] ?? 0;
    const { accessKey } = accepted(
      await catalog.videos.create(accountId, { folderId, title: 'Film', durationMs: filmMs }),
    );
    const { videoKey, videoId } = accepted(
      await catalog.publications.publish({
        accountId,
        packageId,
        accessKey,
      }),
    );
    first ??= videoId;
    accessKeys.push(accessKey);
    videoKeys.push(videoKey);
  }
  return { accountId, packageId, videoId: first ?? 0, accessKeys, videoKeys, key: secret };
}
