/** A video that is about to be added: nothing is made before it is known where it goes. */
import { type NewVideoFields, PlaymeterError } from '../../../client/src/index.ts';
import { server } from '../server.ts';

/** Of a film it has a key: the same file is the same video. */
export type NewVideo = Omit<NewVideoFields, 'folderId'>;

export interface KnownVideo {
  readonly accessKey: string;
  readonly title: string;
  /** It is in the library. */
  readonly isKnown: true;
}

export interface Place {
  /** Undefined: the account has none yet, and gets one of this name. */
  readonly folderId: number | undefined;
  readonly folderName: string;
  readonly package: { readonly packageId: number } | { readonly packageName: string };
}

export interface Published {
  readonly accessKey: string;
  readonly title: string;
  readonly videoKey: string;
}

/** What attempts have made before they failed: the next one goes on from there. */
export interface Made {
  folderId?: number;
  readonly packageIds: Map<string, number>;
  readonly accessKeys: Map<NewVideo, string>;
}

export async function publishVideo(
  video: NewVideo | KnownVideo,
  place: Place,
  made: Made,
): Promise<Published> {
  const packageId = await ensurePackage(place.package, made);
  const accessKey = 'isKnown' in video ? video.accessKey : await ensureVideo(video, place, made);
  const { videoKey } = await server.manage.publish(packageId, accessKey);
  return { accessKey, title: video.title, videoKey };
}

async function ensurePackage(wanted: Place['package'], { packageIds }: Made): Promise<number> {
  if ('packageId' in wanted) return wanted.packageId;
  const { packageName } = wanted;
  const packageId =
    packageIds.get(packageName) ?? (await server.manage.addPackage({ packageName })).packageId;
  packageIds.set(packageName, packageId);
  return packageId;
}

async function ensureVideo(video: NewVideo, place: Place, made: Made): Promise<string> {
  const known = made.accessKeys.get(video);
  if (known !== undefined) return known;
  made.folderId ??= await ensureFolder(place.folderId, place.folderName);
  const fields = { ...video, folderId: made.folderId };
  const { accessKey } = await addVideoOnce(fields);
  made.accessKeys.set(video, accessKey);
  return accessKey;
}

/** The folder that new videos go into, made where the account has none. */
export async function ensureFolder(folderId: number | undefined, name: string): Promise<number> {
  return folderId ?? (await server.manage.addFolder({ folderName: name })).folderId;
}

/** A video that is there already stays as it is. */
export async function addVideoOnce(
  fields: NewVideoFields,
): Promise<{ readonly accessKey: string; readonly isNew: boolean }> {
  const { accessKey: known } = fields;
  try {
    const { accessKey } = await server.manage.addVideo(fields);
    return { accessKey, isNew: true };
  } catch (error) {
    const isThere = error instanceof PlaymeterError && error.code === 'CONFLICT';
    if (!isThere || known === undefined) throw error;
    return { accessKey: known, isNew: false };
  }
}
