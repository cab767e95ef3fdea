import type { Result } from '../lib/result.ts';
import type { Fault } from '../wire/faults.ts';
import type {
  FolderFields,
  NewVideoFields,
  PackageChanges,
  PackageFields,
  ThumbnailFields,
  VideoChanges,
  YesNo,
} from '../wire/video-fields.ts';
import type { SearchItem, SortDirection, SortItem } from '../wire/video-information.ts';

export type { YesNo };

export interface Folder {
  readonly folderId: number;
  readonly accountId: number;
  readonly folderName: string;
}

export interface Folders {
  create(accountId: number, fields: FolderFields): Promise<Folder>;
  find(accountId: number, folderId: number): Promise<Folder | undefined>;
  list(accountId: number): Promise<Folder[]>;
  rename(accountId: number, folderId: number, fields: FolderFields): Promise<Folder>;
  /** Only an empty folder can be deleted; videos are moved or deleted first. */
  delete(accountId: number, folderId: number): Promise<void>;
}

export interface Video {
  readonly videoId: number;
  readonly accountId: number;
  readonly folderId: number;
  readonly accessKey: string;
  readonly cid: string | null;
  readonly content: string | null;
  readonly tag: string;
  readonly durationMs: number;
  readonly createdAt: Date;
  readonly fileSizeBytes: number;
  readonly height: number;
  readonly width: number;
  /** Frames per second. */
  readonly frameRate: number;
  readonly title: string;
  readonly series: string | null;
  readonly author: string | null;
  readonly copyright: string | null;
  readonly rate: string | null;
  readonly etc: string | null;
  readonly encodingSuccess: YesNo | null;
  /** Of the representative thumbnail; empty where there is none. */
  readonly thumbnailUrl: string;
}

/** What a list of videos is narrowed to, sorted by, and which part of it is wanted. */
export interface VideoQuery {
  readonly searchItem: SearchItem;
  /** Found anywhere in the field; of `cid`, the whole. Empty: no search. */
  readonly keyword: string;
  readonly sortItem: SortItem;
  readonly sortDirection: SortDirection;
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
}

export interface VideoPage<Item> {
  readonly videos: readonly Item[];
  /** Of the whole list, also where the page lies past its end. */
  readonly totalCount: number;
}

/** A video as it is in a package. */
export interface PublishedVideo extends Video {
  readonly packageId: number;
  readonly videoKey: string;
  readonly serviceAble: YesNo;
}

export const videoBatchLimit = 1_000;

export type PutVideoFields = NewVideoFields & {
  readonly accessKey: string;
  /** Of the representative thumbnail; where there is another, it replaces all there are. */
  readonly thumbnailUrl?: string;
};

export interface PutVideo {
  readonly videoId: number;
  readonly accessKey: string;
  /** False where it was there before. */
  readonly isNew: boolean;
  /** False where it was there before just as given. */
  readonly isChanged: boolean;
}

export interface Videos {
  /** Ties have the order of the ids, so that every order is total. */
  listFolder(accountId: number, folderId: number, query: VideoQuery): Promise<VideoPage<Video>>;
  /** Optionally only those that also are in one folder. */
  listPackage(
    accountId: number,
    packageId: number,
    query: VideoQuery & { readonly folderId?: number | undefined },
  ): Promise<VideoPage<PublishedVideo>>;
  findInPackage(
    accountId: number,
    packageId: number,
    accessKey: string,
  ): Promise<PublishedVideo | undefined>;
  /** Refuses an accessKey that the account used before, also for a video deleted since. */
  create(accountId: number, fields: NewVideoFields): Promise<Video>;
  /**
   * Adds each video, or where its accessKey is there already, makes it as given: doing it again
   * changes nothing. One transaction for at most `videoBatchLimit`; one bad video does not spoil
   * the others.
   */
  putMany(accountId: number, videos: readonly PutVideoFields[]): Promise<Result<PutVideo, Fault>[]>;
  find(accountId: number, accessKey: string): Promise<Video | undefined>;
  change(accountId: number, accessKey: string, changes: VideoChanges): Promise<Video>;
  /** Takes it out of every package; its id stays, because its statistics are kept. */
  delete(accountId: number, accessKey: string): Promise<void>;
}

export interface Thumbnail {
  /** From 0, without gaps. */
  readonly seq: number;
  readonly url: string;
  readonly playTimeMs: number;
  /** True for the representative one; exactly one is, where there are any. */
  readonly selected: boolean;
}

export interface Thumbnails {
  list(videoId: number): Promise<Thumbnail[]>;
  /** Replaces all thumbnails of a video. Without a selected one the first is. */
  replace(
    accountId: number,
    accessKey: string,
    thumbnails: readonly ThumbnailFields[],
  ): Promise<Thumbnail[]>;
  select(accountId: number, accessKey: string, seq: number): Promise<Thumbnail[]>;
}

export interface Package {
  readonly packageId: number;
  readonly accountId: number;
  readonly packageName: string;
  readonly packageType: string;
  /** Sites from which playback is taken; empty: all. */
  readonly allowedOrigins: readonly string[];
}

export interface Packages {
  create(accountId: number, fields: PackageFields): Promise<Package>;
  find(accountId: number, packageId: number): Promise<Package | undefined>;
  list(accountId: number): Promise<Package[]>;
  change(accountId: number, packageId: number, changes: PackageChanges): Promise<Package>;
  /** Retires everything in it; its id stays, because its statistics are kept. */
  delete(accountId: number, packageId: number): Promise<void>;
}
