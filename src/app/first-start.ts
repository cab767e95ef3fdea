/** The first start: creates an account with a real clip, so that there is something to try. */
import type { Catalog } from '../catalog/catalog.ts';
import { clipFields, clipSizeBytes, placeClip } from '../import/clip-file.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { scopes } from '../vocabulary/scopes.ts';

const title = 'A first clip';

export interface FirstStart {
  readonly accountId: number;
  /** Has all scopes; shown once. */
  readonly key: string;
  readonly videoKey: string;
  /** Signs in at the dashboard with all scopes, once. */
  readonly link: string;
}

/** Undefined if there are accounts already. */
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
  const { keyId, secret: key } = accepted(await catalog.keys.create({ accountId, scopes }));
  const link = await catalog.sessions.createLink(keyId);
  return { accountId, key, videoKey, link };
}
