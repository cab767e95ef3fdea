/** The first start: an account with a real clip, so that there is something to try at once. */
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from './catalog/catalog.ts';
import { scopes } from './wire/scopes.ts';

const clip = join(import.meta.dirname, '../demo/clip.mp4');
const clipFields = {
  title: 'A first clip',
  duration: 12_000,
  vWidth: 640,
  vHeight: 360,
  vFramerate: 25,
  encodingSuccess: 'Y',
} as const;

export interface FirstStart {
  readonly accountId: number;
  /** Of all scopes; shown once. */
  readonly key: string;
  /** Reads the statistics only: for the page. */
  readonly pageKey: string;
  readonly videoKey: string;
}

/** Undefined where there are accounts already. */
export async function prepareFirstStart(
  catalog: Catalog,
  contentFolder: string,
): Promise<FirstStart | undefined> {
  if ((await catalog.accounts.list()).length > 0) return undefined;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { accountId } = await catalog.accounts.create({ name: 'First account', timeZone });
  const { folderId } = await catalog.folders.create(accountId, { folderName: 'Videos' });
  const { packageId } = await catalog.packages.create(accountId, { packageName: 'Site' });
  const fileSize = (await stat(clip)).size;
  const video = await catalog.videos.create(accountId, { folderId, fileSize, ...clipFields });
  await mkdir(contentFolder, { recursive: true });
  await copyFile(clip, join(contentFolder, `${video.videoId}.mp4`));
  const { accessKey } = video;
  const { videoKey } = await catalog.publications.publish({ accountId, packageId, accessKey });
  const { secret: key } = await catalog.keys.create({ accountId, scopes });
  const page = await catalog.keys.create({ accountId, scopes: ['stats:read'] });
  return { accountId, key, pageKey: page.secret, videoKey };
}
