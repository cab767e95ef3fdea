/** The account of the demo: it is known by its name, and everything in it is made up. */
import type { Catalog, VideoQuery } from '../../src/catalog/catalog.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { Fault } from '../../src/vocabulary/faults.ts';
import { demoFolders, demoLabels, demoPackages, demoVideos } from './demo-library.ts';
import { type DemoContent, filmOf, placeFilm, placePicture, removeFiles } from './demo-media.ts';
import type { PublishedVideo } from './make-up-plays.ts';

const demoName = 'Demo: invented films and plays';

export interface DemoAccount {
  readonly accountId: number;
  readonly timeZone: string;
  readonly videos: readonly PublishedVideo[];
  /** Of a key with all rights to look at it. */
  readonly keyId: number;
}

export async function findDemoAccounts(catalog: Catalog): Promise<number[]> {
  const accounts = await catalog.accounts.list();
  return accounts.filter(({ name }) => name === demoName).map(({ accountId }) => accountId);
}

export async function createDemoAccount(
  catalog: Catalog,
  content: DemoContent,
): Promise<DemoAccount> {
  const [already] = await findDemoAccounts(catalog);
  if (already !== undefined) {
    const key = `playmeter key create --account ${already} --scopes stats:read,info:read,manage`;
    const detail =
      `Account ${already} is the demo already. Become a member by \`playmeter member add\`, or sign ` +
      `in where keys may with one from: ${key}; or remove the demo first, with --remove`;
    throw new Fault('CONFLICT', detail);
  }
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { accountId } = accepted(await catalog.accounts.create({ name: demoName, timeZone }));
  for (const label of demoLabels) accepted(await catalog.labels.create(accountId, label));
  const videos = await addVideos(catalog, accountId, content);
  const scopes = ['stats:read', 'info:read', 'manage'] as const;
  const { keyId } = accepted(await catalog.keys.create({ accountId, name: 'Demo', scopes }));
  return { accountId, timeZone, videos, keyId };
}

async function addVideos(catalog: Catalog, accountId: number, content: DemoContent) {
  const folders = new Map<string, number>();
  for (const folderName of demoFolders) {
    const made = accepted(await catalog.folders.create(accountId, { folderName }));
    folders.set(folderName, made.folderId);
  }
  const packageIds: number[] = [];
  for (const packageName of demoPackages) {
    const made = accepted(await catalog.packages.create(accountId, { packageName }));
    packageIds.push(made.packageId);
  }
  const videos: PublishedVideo[] = [];
  for (const video of demoVideos) {
    const film = await filmOf(video);
    const folderId = folders.get(video.folder) ?? 0;
    const made = accepted(await catalog.videos.create(accountId, { folderId, ...film.fields }));
    const { accessKey } = made;
    await placeFilm(content, made.videoId, film);
    const thumbnail = { url: await placePicture(content, made.videoId) };
    accepted(await catalog.thumbnails.replace(accountId, accessKey, [thumbnail]));
    const within = video.folder === 'Lectures' ? [...packageIds].reverse() : packageIds.slice(0, 2);
    for (const packageId of within) {
      accepted(await catalog.publications.publish({ accountId, packageId, accessKey }));
    }
    videos.push({ ...video, accessKey, packageIds: within });
  }
  return videos;
}

/**
 * Takes everything out of the account that can be used: keys, shares, videos with their files, and
 * packages, and closes it. It is no account of the demo any more; what was played there is erased before.
 */
export async function retireDemoAccount(
  catalog: Catalog,
  accountId: number,
  content: DemoContent,
): Promise<void> {
  const live = (await catalog.keys.list(accountId)).filter(({ revokedAt }) => !revokedAt);
  for (const { keyId } of live) accepted(await catalog.keys.revoke({ accountId, keyId }));
  for (const share of await catalog.shares.list(accountId)) {
    accepted(await catalog.shares.revoke(share));
  }
  for (const { packageId } of await catalog.packages.list(accountId)) {
    accepted(await catalog.packages.delete(accountId, packageId));
  }
  for (const { folderId } of await catalog.folders.list(accountId)) {
    await deleteFolder(catalog, { accountId, folderId }, content);
  }
  accepted(await catalog.accounts.change(accountId, { name: `Removed demo ${accountId}` }));
  accepted(await catalog.accounts.close(accountId));
}

async function deleteFolder(
  catalog: Catalog,
  { accountId, folderId }: { readonly accountId: number; readonly folderId: number },
  content: DemoContent,
) {
  const query: VideoQuery = {
    ...({ searchItem: 'title', keyword: '', sortItem: 'id', sortDirection: 'asc' } as const),
    ...{ pageSize: 1_000, page: 1 },
  };
  for (;;) {
    const { videos } = accepted(await catalog.videos.listFolder(accountId, folderId, query));
    if (videos.length === 0) break;
    for (const { accessKey, videoId, thumbnailUrl } of videos) {
      await removeFiles(content, videoId, thumbnailUrl);
      accepted(await catalog.videos.delete(accountId, accessKey));
    }
  }
  accepted(await catalog.folders.delete(accountId, folderId));
}
