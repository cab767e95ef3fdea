import type { CatalogParts, Video } from '../../../catalog/catalog.ts';
import { found } from '../../../operations/refusal-faults.ts';
import { folderVideoOf } from '../../../operations/video-information.ts';
import type { VideoRecord } from '../../../wire/management-messages.ts';

export function videoRecordOf(video: Video): VideoRecord {
  const { videoId, ...information } = folderVideoOf(video);
  const { folderId, tag, encodingSuccess } = video;
  return { videoId, folderId, ...information, tag, encodingSuccess };
}

export async function requireVideo(
  { videos }: CatalogParts,
  accountId: number,
  accessKey: string,
): Promise<Video> {
  return found(await videos.find(accountId, accessKey), 'NO_VIDEO');
}
