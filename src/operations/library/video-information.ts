/** The catalog's records -> the exact JSON of the video information queries. Pure. */
import type {
  Folder,
  Package,
  PublishedVideo,
  Thumbnail,
  Video,
  VideoPage,
  VideoQuery,
  YesNo,
} from '../../catalog/catalog.ts';
import { onlyWebUrl } from '../../wire/library/video-fields.ts';
import type {
  FoldersAnswer,
  FolderVideo,
  FolderVideosAnswer,
  PackagesAnswer,
  PackageVideosAnswer,
  ThumbnailItem,
  ThumbnailsAnswer,
  VideoDetailAnswer,
  VideoInfo,
} from '../../wire/library/video-information.ts';

/** `contentUrl` is the base URL of the content, without a trailing slash. */
export function videoDetailAnswer(
  video: PublishedVideo,
  thumbnails: readonly Thumbnail[],
  contentUrl: string,
): VideoDetailAnswer {
  return {
    videoDetail: {
      videoUrl: `${contentUrl}/${video.videoKey}`,
      videoInfo: toVideoInfo(video),
      thumbnails: thumbnails.map(toThumbnailItem),
    },
  };
}

export function folderVideosAnswer(query: VideoQuery, page: VideoPage<Video>): FolderVideosAnswer {
  return {
    videoInfoList: {
      apiVideoSearchOption: toSearchOption(query),
      folderVideoList: page.videos.map(toFolderVideo),
      paging: toPaging(query, page.totalCount),
    },
  };
}

export function packageVideosAnswer(
  query: VideoQuery,
  page: VideoPage<PublishedVideo>,
): PackageVideosAnswer {
  return {
    videoInfoList: {
      apiVideoSearchOption: toSearchOption(query),
      videoInfoList: page.videos.map(toVideoInfo),
      paging: toPaging(query, page.totalCount),
    },
  };
}

export function packagesAnswer(packages: readonly Package[]): PackagesAnswer {
  return {
    packageList: packages.map(({ packageId, packageName, packageType }) => ({
      packageId,
      packageName,
      packageType,
    })),
  };
}

export function foldersAnswer(folders: readonly Folder[]): FoldersAnswer {
  return { folderList: folders.map(({ folderId, folderName }) => ({ id: folderId, folderName })) };
}

export function thumbnailsAnswer(thumbnails: readonly Thumbnail[]): ThumbnailsAnswer {
  return { thumbnails: thumbnails.map(toThumbnailItem) };
}

export function toFolderVideo(video: Video): FolderVideo {
  return {
    videoId: video.videoId,
    accessKey: video.accessKey,
    duration: video.durationMs,
    fileSize: video.fileSizeBytes,
    cid: video.cid,
    content: video.content,
    thumbnailUrl: onlyWebUrl(video.thumbnailUrl),
    vHeight: video.height,
    vWidth: video.width,
    vFramerate: video.frameRate,
    title: video.title,
    cdate: video.createdAt.toISOString(),
    series: video.series,
    author: video.author,
    copyright: video.copyright,
    rate: video.rate,
    etc: video.etc,
    encodingSuccess: toYesNo(video),
  };
}

function toVideoInfo(video: PublishedVideo): VideoInfo {
  return {
    videoId: video.videoId,
    accessKey: video.accessKey,
    videoKey: video.videoKey,
    cid: video.cid,
    content: video.content,
    tag: video.tag,
    duration: video.durationMs,
    cdate: video.createdAt.toISOString(),
    fileSize: video.fileSizeBytes,
    thumbnailUrl: onlyWebUrl(video.thumbnailUrl),
    vHeight: video.height,
    vWidth: video.width,
    vFramerate: video.frameRate,
    title: video.title,
    series: video.series,
    author: video.author,
    copyright: video.copyright,
    rate: video.rate,
    etc: video.etc,
    serviceAble: video.serviceAble,
    encoding_success: toYesNo(video),
  };
}

/** One answer for both names of the field: what nobody reported did not succeed. */
function toYesNo({ encodingSuccess }: Video): YesNo {
  return encodingSuccess ?? 'N';
}

function toThumbnailItem({ selected, seq, url, playTimeMs }: Thumbnail): ThumbnailItem {
  return { selected, seq, url: onlyWebUrl(url), playtime: playTimeMs };
}

function toSearchOption({ keyword, searchItem, sortItem, sortDirection }: VideoQuery) {
  const direction = sortDirection === 'desc' ? (1 as const) : (0 as const);
  return { keyword, searchItem, sortItem, sortDirection: direction };
}

function toPaging({ page, pageSize }: VideoQuery, totalCount: number) {
  return { page, pageSize, totalCount, totalPage: Math.ceil(totalCount / pageSize) };
}
