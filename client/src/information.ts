import type { CallOptions, Connection, Query } from './connection.ts';
import type {
  FoldersAnswer,
  FolderVideosAnswer,
  FolderVideosParameters,
  PackagesAnswer,
  PackageVideosAnswer,
  PackageVideosParameters,
  ThumbnailItem,
  ThumbnailsAnswer,
  ThumbnailsParameters,
  VideoDetailAnswer,
  VideoDetailParameters,
} from './interface.ts';

type Ask<Parameters, Answer> = (parameters: Parameters, options?: CallOptions) => Promise<Answer>;
type AskAll<Answer> = (options?: CallOptions) => Promise<Answer>;

/** What there is to know of videos; the lists come page by page, with true totals. */
export interface Information {
  readonly video: Ask<VideoDetailParameters, VideoDetailAnswer['videoDetail']>;
  readonly thumbnails: Ask<ThumbnailsParameters, readonly ThumbnailItem[]>;
  readonly folderVideos: Ask<FolderVideosParameters, FolderVideosAnswer['videoInfoList']>;
  readonly packageVideos: Ask<PackageVideosParameters, PackageVideosAnswer['videoInfoList']>;
  readonly folders: AskAll<FoldersAnswer['folderList']>;
  readonly packages: AskAll<PackagesAnswer['packageList']>;
}

export function informationOf(connection: Connection): Information {
  const ask = async <Body>(path: string, parameters: object, options: CallOptions = {}) => {
    const query: Query = Object.fromEntries(Object.entries(parameters));
    return (await connection.get<Body>(`/info/videopack${path}`, query, options)).body;
  };
  return {
    async video(parameters, options) {
      const answer = await ask<VideoDetailAnswer>('/detail/v1/info.json', parameters, options);
      return answer.videoDetail;
    },
    async thumbnails(parameters, options) {
      const answer = await ask<ThumbnailsAnswer>('/thumbnail/v1/info.json', parameters, options);
      return answer.thumbnails;
    },
    async folderVideos(parameters, options) {
      const answer = await ask<FolderVideosAnswer>('/folder/v1/videos.json', parameters, options);
      return answer.videoInfoList;
    },
    async packageVideos(parameters, options) {
      const answer = await ask<PackageVideosAnswer>('/package/v1/videos.json', parameters, options);
      return answer.videoInfoList;
    },
    folders: async (options) =>
      (await ask<FoldersAnswer>('/folder/v1/info.json', {}, options)).folderList,
    packages: async (options) =>
      (await ask<PackagesAnswer>('/package/v1/info.json', {}, options)).packageList,
  };
}
