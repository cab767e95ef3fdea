import { type CatalogParts, folderVideoOf, type Video } from '../../catalog/catalog.ts';
import { Fault } from '../../wire/faults.ts';
import type { VideoRecord } from '../../wire/managing.ts';

export function videoRecordOf(video: Video): VideoRecord {
  const { videoId, ...information } = folderVideoOf(video);
  const { folderId, tag } = video;
  return { videoId, folderId, ...information, tag };
}

export async function requireVideo(
  { videos }: CatalogParts,
  accountId: number,
  accessKey: string,
): Promise<Video> {
  const video = await videos.find(accountId, accessKey);
  if (!video) throw new Fault('NOT_FOUND', 'There is no such video');
  return video;
}
