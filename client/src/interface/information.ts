/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Paging {
  /** Page of this answer */
  page: number;
  /** Items a page */
  pageSize: number;
  /** Items in all */
  totalCount: number;
  /** Pages in all */
  totalPage: number;
}

export interface FolderVideo {
  /** Video */
  videoId: number;
  /** Original key of the video */
  accessKey: string;
  /** Length in milliseconds */
  duration: number;
  /** Size of the original file in bytes */
  fileSize: number;
  /** Identifier of the account’s own */
  cid: string | null;
  /** What the video is about */
  content: string | null;
  /** Representative thumbnail; empty: none */
  thumbnailUrl: string;
  /** Height in pixels */
  vHeight: number;
  /** Width in pixels */
  vWidth: number;
  /** Frames per second */
  vFramerate: number;
  /** Title */
  title: string;
  /** Creation instant, ISO 8601 UTC with milliseconds */
  cdate: string;
  /** Series */
  series: string | null;
  /** Author of the original */
  author: string | null;
  /** Copyright notice */
  copyright: string | null;
  /** Viewing rating */
  rate: string | null;
  /** Anything else */
  etc: string | null;
  /** Whether encoding succeeded; null: never encoded */
  encodingSuccess: ('Y' | 'N') | null;
}

export interface FolderVideosAnswer {
  videoInfoList: {
    apiVideoSearchOption: {
      keyword: string;
      /** Field that the keyword is looked for in */
      searchItem: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
      /** What the videos are sorted by; ties by id */
      sortItem: 'id' | 'title' | 'duration' | 'filesize';
      /** 1: desc, 0: asc */
      sortDirection: 0 | 1;
    };
    paging: Paging;
    folderVideoList: FolderVideo[];
  };
}

export interface FoldersAnswer {
  folderList: {
    /** Folder */
    id: number;
    folderName: string;
  }[];
}

export interface PackageVideosAnswer {
  videoInfoList: {
    apiVideoSearchOption: {
      keyword: string;
      /** Field that the keyword is looked for in */
      searchItem: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
      /** What the videos are sorted by; ties by id */
      sortItem: 'id' | 'title' | 'duration' | 'filesize';
      /** 1: desc, 0: asc */
      sortDirection: 0 | 1;
    };
    paging: Paging;
    videoInfoList: VideoInfo[];
  };
}

export interface VideoInfo {
  /** Video */
  videoId: number;
  /** Original key of the video */
  accessKey: string;
  /** Key of the video in this package */
  videoKey: string;
  /** Identifier of the account’s own */
  cid: string | null;
  /** What the video is about */
  content: string | null;
  /** Tags */
  tag: string;
  /** Length in milliseconds */
  duration: number;
  /** Creation instant, ISO 8601 UTC with milliseconds */
  cdate: string;
  /** Size of the original file in bytes */
  fileSize: number;
  /** Representative thumbnail; empty: none */
  thumbnailUrl: string;
  /** Height in pixels */
  vHeight: number;
  /** Width in pixels */
  vWidth: number;
  /** Frames per second */
  vFramerate: number;
  /** Title */
  title: string;
  /** Series */
  series: string | null;
  /** Author of the original */
  author: string | null;
  /** Copyright notice */
  copyright: string | null;
  /** Viewing rating */
  rate: string | null;
  /** Anything else */
  etc: string | null;
  /** Y: is served; N: is paused */
  serviceAble: 'Y' | 'N';
  /** Whether encoding succeeded */
  encoding_success: 'Y' | 'N';
}

export interface PackagesAnswer {
  packageList: {
    /** Package */
    packageId: number;
    packageName: string;
    packageType: string;
  }[];
}

export interface ThumbnailItem {
  /** True for the representative thumbnail */
  selected: boolean;
  seq: number;
  url: string;
  /** Where in the video it was taken, in milliseconds */
  playtime: number;
}

export interface ThumbnailsAnswer {
  thumbnails: ThumbnailItem[];
}

export interface VideoDetailAnswer {
  videoDetail: {
    /** Address of the video on the content host */
    videoUrl: string;
    videoInfo: VideoInfo;
    thumbnails: ThumbnailItem[];
  };
}

export interface VideoDetailParameters {
  /** Original key of the video */
  accessKey: string;
  /** Distribution package */
  packageId: number;
}

export interface FolderVideosParameters {
  /** Folder of the media library */
  folderId: number;
  /** Field that the keyword is looked for in */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /** Found anywhere in the field, upper and lower case alike; cid: the whole */
  keyword?: string;
  /** What the videos are sorted by; ties by id */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  sortDirection?: 'desc' | 'asc';
  /** Videos a page */
  pageSize?: number;
  /** Page, from 1 */
  page?: number;
}

export interface PackageVideosParameters {
  /** Distribution package */
  packageId: number;
  /** Restricts to a folder of the media library */
  folderId?: number;
  /** Field that the keyword is looked for in */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /** Found anywhere in the field, upper and lower case alike; cid: the whole */
  keyword?: string;
  /** What the videos are sorted by; ties by id */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  sortDirection?: 'desc' | 'asc';
  /** Videos a page */
  pageSize?: number;
  /** Page, from 1 */
  page?: number;
}

export interface ThumbnailsParameters {
  /** Original key of the video */
  accessKey: string;
}
