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
      videoInfo: videoInfoOf(video),
      thumbnails: thumbnails.map(thumbnailItemOf),
    },
  };
}

export function folderVideosAnswer(query: VideoQuery, page: VideoPage<Video>): FolderVideosAnswer {
  return {
    videoInfoList: {
      apiVideoSearchOption: searchOptionOf(query),
      folderVideoList: page.videos.map(folderVideoOf),
      paging: pagingOf(query, page.totalCount),
    },
  };
}

export function packageVideosAnswer(
  query: VideoQuery,
  page: VideoPage<PublishedVideo>,
): PackageVideosAnswer {
  return {
    videoInfoList: {
      apiVideoSearchOption: searchOptionOf(query),
      videoInfoList: page.videos.map(videoInfoOf),
      paging: pagingOf(query, page.totalCount),
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
  return { thumbnails: thumbnails.map(thumbnailItemOf) };
}

export function folderVideoOf(video: Video): FolderVideo {
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
    encodingSuccess: encodingSuccessOf(video),
  };
}

function videoInfoOf(video: PublishedVideo): VideoInfo {
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
    encoding_success: encodingSuccessOf(video),
  };
}

/** One answer for both names of the field: what nobody reported did not succeed. */
function encodingSuccessOf({ encodingSuccess }: Video): YesNo {
  return encodingSuccess ?? 'N';
}

function thumbnailItemOf({ selected, seq, url, playTimeMs }: Thumbnail): ThumbnailItem {
  return { selected, seq, url: onlyWebUrl(url), playtime: playTimeMs };
}

function searchOptionOf({ keyword, searchItem, sortItem, sortDirection }: VideoQuery) {
  const direction = sortDirection === 'desc' ? (1 as const) : (0 as const);
  return { keyword, searchItem, sortItem, sortDirection: direction };
}

function pagingOf({ page, pageSize }: VideoQuery, totalCount: number) {
  return { page, pageSize, totalCount, totalPage: Math.ceil(totalCount / pageSize) };
}
