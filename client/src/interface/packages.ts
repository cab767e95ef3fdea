/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */
import type { Paging } from './information.ts';

export interface Package {
  /** Package */
  packageId: number;
  /** Name of the package */
  packageName: string;
  /** Kind of package, in your own words */
  packageType: string;
  /** Sites from which playback is taken; empty: from all */
  allowedOrigins: string[];
}

export interface PackageChanges {
  /** Name of the package */
  packageName?: string;
  /** Kind of package, in your own words; default: VOD */
  packageType?: string;
  /**
   * Sites from which playback is taken; empty: from all
   *
   * @maxItems 100
   *
   * Items: Origin, as in the header: https://example.com
   */
  allowedOrigins?: string[];
}

export interface PackageFields {
  /** Name of the package */
  packageName: string;
  /** Kind of package, in your own words; default: VOD */
  packageType?: string;
  /**
   * Sites from which playback is taken; empty: from all
   *
   * @maxItems 100
   *
   * Items: Origin, as in the header: https://example.com
   */
  allowedOrigins?: string[];
}

export interface PackageList {
  list: Package[];
  paging: Paging;
}

export interface Publication {
  /** Package */
  packageId: number;
  /** Video */
  videoId: number;
  /** Original key of the video */
  accessKey: string;
  /** Key of the video in this package: players report it */
  videoKey: string;
  serviceAble: 'Y' | 'N';
}

export interface PublicationFields {
  serviceAble?: 'Y' | 'N';
}

export interface PublicationList {
  list: Publication[];
  paging: Paging;
}

export interface ManagePackagesParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}

export interface PublicationsParameters {
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
