/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */
import type { Paging } from './information.ts';

export interface NewVideoFields {
  /** Folder of the media library */
  folderId: number;
  /** Title */
  title: string;
  /** Original key, unique in the account for ever; default: a random one */
  accessKey?: string;
  /** Creation instant, ISO 8601 with a zone; default: now */
  cdate?: string;
  /** Identifier of your own, found exactly */
  cid?: string | null;
  /** What the video is about */
  content?: string | null;
  /** Tags */
  tag?: string;
  /** Length of the video in milliseconds */
  duration?: number;
  /** Size of the original file in bytes */
  fileSize?: number;
  /** Height of the picture in pixels */
  vHeight?: number;
  /** Width of the picture in pixels */
  vWidth?: number;
  /** Frames per second */
  vFramerate?: number;
  /** Series the video belongs to */
  series?: string | null;
  /** Author of the original */
  author?: string | null;
  /** Copyright notice */
  copyright?: string | null;
  /** Viewing rating */
  rate?: string | null;
  /** Anything else */
  etc?: string | null;
  /** Y or N: whether encoding succeeded */
  encodingSuccess?: ('Y' | 'N') | null;
}

export interface PutVideoFields {
  /** Folder of the media library */
  folderId: number;
  /** Title */
  title: string;
  /** Creation instant, ISO 8601 with a zone; default: now */
  cdate?: string;
  /** Identifier of your own, found exactly */
  cid?: string | null;
  /** What the video is about */
  content?: string | null;
  /** Tags */
  tag?: string;
  /** Length of the video in milliseconds */
  duration?: number;
  /** Size of the original file in bytes */
  fileSize?: number;
  /** Height of the picture in pixels */
  vHeight?: number;
  /** Width of the picture in pixels */
  vWidth?: number;
  /** Frames per second */
  vFramerate?: number;
  /** Series the video belongs to */
  series?: string | null;
  /** Author of the original */
  author?: string | null;
  /** Copyright notice */
  copyright?: string | null;
  /** Viewing rating */
  rate?: string | null;
  /** Anything else */
  etc?: string | null;
  /** Y or N: whether encoding succeeded */
  encodingSuccess?: ('Y' | 'N') | null;
}

export interface SelectedThumbnail {
  /** The one that stands for the video */
  seq: number;
}

export interface ThumbnailFields {
  /** Address of the picture */
  url: string;
  /** Where in the video it was taken, in milliseconds */
  playtime?: number;
  /** Whether it stands for the video; at most one does */
  selected?: boolean;
}

export interface ThumbnailsBody {
  /**
   * In their order
   *
   * @maxItems 100
   */
  thumbnails: ThumbnailFields[];
}

export interface Video {
  /** Video */
  videoId: number;
  /** Folder of the media library */
  folderId: number;
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
  /** Tags */
  tag: string;
}

export interface VideoChanges {
  /** Folder of the media library */
  folderId?: number;
  /** Title */
  title?: string;
  /** Identifier of your own, found exactly */
  cid?: string | null;
  /** What the video is about */
  content?: string | null;
  /** Tags */
  tag?: string;
  /** Length of the video in milliseconds */
  duration?: number;
  /** Size of the original file in bytes */
  fileSize?: number;
  /** Height of the picture in pixels */
  vHeight?: number;
  /** Width of the picture in pixels */
  vWidth?: number;
  /** Frames per second */
  vFramerate?: number;
  /** Series the video belongs to */
  series?: string | null;
  /** Author of the original */
  author?: string | null;
  /** Copyright notice */
  copyright?: string | null;
  /** Viewing rating */
  rate?: string | null;
  /** Anything else */
  etc?: string | null;
  /** Y or N: whether encoding succeeded */
  encodingSuccess?: ('Y' | 'N') | null;
}

export interface VideoList {
  list: Video[];
  paging: Paging;
}

export interface ManageVideosParameters {
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
