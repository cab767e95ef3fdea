import type { Result } from '../lib/result.ts';
import type { PackageRecord } from '../wire/library/video-fields.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

export type YesNo = 'Y' | 'N';

export interface Folder {
  readonly folderId: number;
  readonly accountId: number;
  readonly folderName: string;
}

export interface Folders {
  create(accountId: number, folder: { folderName: string }): Outcome<Folder>;
  find(accountId: number, folderId: number): Promise<Folder | undefined>;
  /** `within`: only folders with a video in one of these packages. */
  list(accountId: number, within?: readonly number[]): Promise<Folder[]>;
  rename(accountId: number, folderId: number, folder: { folderName: string }): Outcome<Folder>;
  /** Only an empty folder can be deleted; videos are moved or deleted first. */
  delete(accountId: number, folderId: number): Outcome<void>;
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
  /** URL of the representative thumbnail; empty if there is none. */
  readonly thumbnailUrl: string;
}

/** The fields that a person or an import may set. */
type VideoFields = Omit<
  Video,
  'videoId' | 'accountId' | 'accessKey' | 'createdAt' | 'thumbnailUrl'
>;

/** Omitted fields are null, empty or 0; accessKey is random and the creation time is now. */
export type NewVideo = Pick<Video, 'folderId' | 'title'> &
  Partial<Omit<VideoFields, 'folderId' | 'title'>> & {
    readonly accessKey?: string;
    readonly createdAt?: Date;
  };

/** Omitted fields stay as they are. */
export type VideoChanges = { readonly [Name in keyof VideoFields]?: VideoFields[Name] | undefined };

/** A video from an import. */
export type VideoToPut = NewVideo & {
  readonly accessKey: string;
  /** URL of the representative thumbnail; a new one replaces all thumbnails. */
  readonly thumbnailUrl?: string;
};

/** The fields in which a keyword may occur anywhere. */
export type SearchedField = 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc';

/** Which videos of a list to return, and in which order. */
export interface VideoQuery {
  readonly searchItem: SearchedField | 'cid';
  /** Matches anywhere in the field, but for `cid` only all of it. Empty: no search. */
  readonly keyword: string;
  readonly sortItem: 'id' | 'title' | 'duration' | 'filesize';
  readonly sortDirection: 'asc' | 'desc';
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  /** Of a folder, or of all: only those in one of these packages. */
  readonly within?: readonly number[];
}

export interface VideoPage<Item> {
  readonly videos: readonly Item[];
  /** Length of the whole list, even if the page is past its end. */
  readonly totalCount: number;
}

/** A video as it is in a package. */
export interface PublishedVideo extends Video {
  readonly packageId: number;
  readonly videoKey: string;
  readonly serviceAble: YesNo;
  /** When it was first put into the package. */
  readonly publishedAt: Date;
}

/** What statistics show of a video, also of one that is deleted. */
export type KnownVideo = Pick<Video, 'videoId' | 'accessKey' | 'folderId' | 'title' | 'durationMs'>;

export const videoBatchLimit = 1_000;

/** A video that was put. */
export interface StoredVideo {
  readonly videoId: number;
  readonly accessKey: string;
  /** False if it existed before. */
  readonly isNew: boolean;
  /** False if it existed before exactly as given. */
  readonly isChanged: boolean;
}

export interface Videos {
  /** Ties are ordered by id, so that every order is total. */
  listFolder(accountId: number, folderId: number, query: VideoQuery): Outcome<VideoPage<Video>>;
  /** Of all folders of an account, or without a keyword those of these keys; otherwise likewise. */
  listAll(
    accountId: number,
    query: VideoQuery & { readonly accessKeys?: readonly string[] | undefined },
  ): Promise<VideoPage<Video>>;
  /** Optionally limited to those in one folder. */
  listPackage(
    accountId: number,
    packageId: number,
    query: VideoQuery & { readonly folderId?: number | undefined },
  ): Outcome<VideoPage<PublishedVideo>>;
  findInPackage(
    accountId: number,
    packageId: number,
    accessKey: string,
  ): Promise<PublishedVideo | undefined>;
  /** Refuses an accessKey that the account has used before, even for a deleted video. */
  create(accountId: number, video: NewVideo): Outcome<Video>;
  /**
   * Adds each video, or where its accessKey is there already, makes it as given: doing it again
   * changes nothing. One transaction for at most `videoBatchLimit`; one bad video does not spoil
   * the others.
   */
  putMany(
    accountId: number,
    videos: readonly VideoToPut[],
  ): Promise<Result<StoredVideo, CatalogRefusal>[]>;
  find(accountId: number, accessKey: string): Promise<Video | undefined>;
  /** Also those that are deleted, for their statistics are kept. Unknown ids are left out. */
  known(accountId: number, videoIds: readonly number[]): Promise<KnownVideo[]>;
  change(accountId: number, accessKey: string, changes: VideoChanges): Outcome<Video>;
  /** Removes it from all packages; its id stays, because its statistics are kept. */
  delete(accountId: number, accessKey: string): Outcome<void>;
}

export interface Thumbnail {
  /** From 0, without gaps. */
  readonly seq: number;
  readonly url: string;
  readonly playTimeMs: number;
  /** True for the representative one: exactly one, if there are any. */
  readonly selected: boolean;
}

export const thumbnailLimit = 100;

export type NewThumbnail = Pick<Thumbnail, 'url'> &
  Partial<Pick<Thumbnail, 'playTimeMs' | 'selected'>>;

export interface Thumbnails {
  list(videoId: number): Promise<Thumbnail[]>;
  /** Whether accounts that are closed have the picture of this file name, and no other has. */
  isClosed(fileName: string): Promise<boolean>;
  /** Replaces all thumbnails, at most `thumbnailLimit`. Without a selected one the first is. */
  replace(
    accountId: number,
    accessKey: string,
    thumbnails: readonly NewThumbnail[],
  ): Outcome<Thumbnail[]>;
  select(accountId: number, accessKey: string, seq: number): Outcome<Thumbnail[]>;
}

/** As the interface has it. */
export type Package = { readonly accountId: number } & {
  readonly [Name in keyof PackageRecord]: PackageRecord[Name] extends (infer Item)[]
    ? readonly Item[]
    : PackageRecord[Name];
};

type PackageFields = Omit<Package, 'packageId' | 'accountId'>;

type NewPackage = Pick<Package, 'packageName'> & PackageChanges;

type PackageChanges = {
  readonly [Name in keyof PackageFields]?: PackageFields[Name] | undefined;
};

export interface Packages {
  create(accountId: number, fields: NewPackage): Outcome<Package>;
  find(accountId: number, packageId: number): Promise<Package | undefined>;
  list(accountId: number): Promise<Package[]>;
  change(accountId: number, packageId: number, changes: PackageChanges): Outcome<Package>;
  /** Retires everything in it; its id stays, because its statistics are kept. */
  delete(accountId: number, packageId: number): Outcome<void>;
}

/** The name of a package or a folder. */
export interface NamedId {
  readonly id: number;
  readonly name: string;
}

/** By ids of the account, at most `videoBatchLimit`; also of what is deleted, in any order. */
export interface Names {
  packages(accountId: number, packageIds: readonly number[]): Promise<NamedId[]>;
  folders(accountId: number, folderIds: readonly number[]): Promise<NamedId[]>;
}
