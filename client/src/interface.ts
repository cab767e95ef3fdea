/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Account {
  /** Account */
  accountId: number;
  /** Name */
  name: string;
  /** IANA time zone of the dates and hours of all statistics */
  timeZone: string;
}

export interface AccountChanges {
  /** Name */
  name?: string;
  /** IANA time zone of the dates and hours of all statistics */
  timeZone?: string;
}

export interface Beacon {
  /** One viewer's attempt at one video; a UUID by preference */
  view: string;
  /** Number of the stretch inside its view, from 0; 0 counts the play */
  stretch: number;
  /** Instant at which the stretch began, RFC 3339, by the corrected clock */
  at: string;
  /** How long the stretch has lasted so far, in milliseconds */
  playMs: number;
  /** Names a video in a package */
  videoKey?: string;
  /** With packageId in place of videoKey; needs a collect:write key */
  accessKey?: string;
  packageId?: number;
  /** The viewer's User-Agent; needs a collect:write key */
  userAgent?: string;
  /** The viewer's platform as in Sec-CH-UA-Platform; needs a collect:write key */
  platform?: string;
  /** As in Sec-CH-UA-Platform-Version; needs a collect:write key */
  platformVersion?: string;
}

export interface BeaconsAnswer {
  /** Beacons that are counted, and durable */
  accepted: number;
  /** Beacons refused for good: sending them again is of no use */
  rejected: RefusedBeacon[];
}

export interface RefusedBeacon {
  /** Place in the request, from 0 */
  index: number;
  /** Why it is not counted */
  code:
    | 'INVALID_BEACON'
    | 'KEY_REQUIRED'
    | 'UNKNOWN_VIDEO'
    | 'ORIGIN'
    | 'TOO_OLD'
    | 'IN_FUTURE'
    | 'BOT';
  detail: string;
}

export interface BeaconsRequest {
  beacons: Beacon[];
}

export interface ErrorInfo {
  /** `None`, or why the event is not counted */
  errorCode: string;
  errorMessage: string;
}

export interface Folder {
  /** Folder */
  folderId: number;
  /** Name of the folder */
  folderName: string;
}

export interface FolderChanges {
  /** Name of the folder */
  folderName?: string;
}

export interface FolderFields {
  /** Name of the folder */
  folderName: string;
}

export interface FolderList {
  list: Folder[];
  paging: Paging;
}

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

export interface Health {
  status: 'ok';
}

export interface Key {
  /** Key */
  keyId: number;
  /** The beginning of the key, to tell keys apart */
  prefix: string;
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** When it was made */
  createdAt: string;
  /** From when on it is refused; null: never */
  expiresAt: string | null;
  /** When it was revoked; null: it was not */
  revokedAt: string | null;
}

export interface KeyFields {
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** From when on it is refused; default: never */
  expiresAt?: string | null;
}

export interface KeyList {
  list: Key[];
  paging: Paging;
}

export interface Ledger {
  /** The days with beacons, in their order */
  list: LedgerDay[];
}

export interface LedgerDay {
  /** Day in UTC on which they arrived */
  date: string;
  /** The sum of all below */
  received: number;
  /** Beacons that were accepted, each as often as it was sent */
  counted: number;
  /** By reason */
  refused: {
    /** A member of the beacon is missing or not valid */
    INVALID_BEACON: number;
    /** The beacon says what only a sender with a collect:write key may say */
    KEY_REQUIRED: number;
    /** No such video in a package */
    UNKNOWN_VIDEO: number;
    /** The package does not allow the site that the player is on */
    ORIGIN: number;
    /** The stretch began longer ago than is taken */
    TOO_OLD: number;
    /** The stretch begins or runs on in the future */
    IN_FUTURE: number;
    /** The sender says that it is a bot; set apart */
    BOT: number;
  };
}

export interface NewKey {
  /** Key */
  keyId: number;
  /** The beginning of the key, to tell keys apart */
  prefix: string;
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** When it was made */
  createdAt: string;
  /** From when on it is refused; null: never */
  expiresAt: string | null;
  /** When it was revoked; null: it was not */
  revokedAt: string | null;
  /** The key itself, shown this once */
  key: string;
}

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

export interface PlayerLogAnswer {
  errorInfo: ErrorInfo;
}

export interface PlayerLogEvent {
  /** What happened: pl loaded, sr ready, vs play started, vi still playing, vp paused, vk seeking, vt stopped */
  e: 'pl' | 'sr' | 'vs' | 'vi' | 'vp' | 'vk' | 'vt';
  /** Account */
  gid: number | string;
  /** Package */
  pid: number | string;
  /** Video */
  vid: number | string;
  /** Player; not looked at */
  plid?: {
    [k: string]: unknown;
  };
  /** Viewer */
  uid: string | number;
  /** Start of the session, yyyyMMddhhmmss, in UTC as the service gave it */
  cs: string | number;
  /** Length of the video; not looked at */
  dtt?: {
    [k: string]: unknown;
  };
  /** Where in the video the range just played begins, in seconds */
  dst?: number | string;
  /** Where it ends; in an event `vk` possibly the target of the seek */
  det?: number | string;
}

export interface Problem {
  /** Always about:blank: `code` tells the kind */
  type: string;
  /** The kind, in words that do not change */
  title: string;
  /** The HTTP status once more */
  status: number;
  /** This very case, in words */
  detail: string;
  /** The kind */
  code:
    | 'MISSING_PARAMETER'
    | 'INVALID_PARAMETER'
    | 'TOKEN_INVALID'
    | 'UNAUTHENTICATED'
    | 'FORBIDDEN'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'CONFLICT'
    | 'TOKEN_EXPIRED'
    | 'GONE'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMITED'
    | 'INTERNAL'
    | 'UNAVAILABLE';
  isSuccess: false;
  /** The same as `detail` */
  message: string;
  /** Every bad parameter at once */
  errors?: {
    /** By the name that the caller used */
    parameter: string;
    /** What is wrong with it */
    detail: string;
  }[];
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

export interface Readiness {
  status: 'ok' | 'unavailable';
  /** ok, or why the catalog does not answer */
  catalog: string;
  /** ok, or why the statistics store does not answer */
  statistics: string;
}

export interface RotationFields {
  /** How long the old key works on */
  overlapHours?: number;
}

export interface SelectedThumbnail {
  /** The one that stands for the video */
  seq: number;
}

export interface StatisticsByDate {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByDateRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByDateRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Day in the account's zone, yyyy-mm-dd */
  date: string;
}

export interface StatisticsByHour {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByHourRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByHourRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Day in the account's zone, yyyy-mm-dd */
  date: string;
  /** Hour of the day, "00" to "23" */
  hour: string;
}

export interface StatisticsByOs {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByOsRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Name of the operating system */
  os: string;
}

export interface StatisticsByOsDetail {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsDetailRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByOsDetailRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Name of the operating system */
  os: string;
  /** Version of the operating system */
  detail: string;
}

export interface StatsInfo {
  statsInfo: {
    /** Account */
    gid: number;
    /** Package */
    pid: number;
    /** Video */
    vid: number;
    /** Player; always 1 */
    plid: number;
    /** Viewer: new with every answer */
    uid: string;
    /** Now, by the clock of the service in UTC: yyyyMMddhhmmss */
    cs: string;
    errorInfo: ErrorInfo;
  };
}

export interface ThumbnailFields {
  /** Address of the picture */
  url: string;
  /** Where in the video it was taken, in milliseconds */
  playtime?: number;
  /** Whether it stands for the video; at most one does */
  selected?: boolean;
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

export interface VideoDetailAnswer {
  videoDetail: {
    /** Address of the video on the content host */
    videoUrl: string;
    videoInfo: VideoInfo;
    thumbnails: ThumbnailItem[];
  };
}

export interface VideoList {
  list: Video[];
  paging: Paging;
}

export interface StatisticsByDateParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'date' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByHourParameters {
  /** Day to query, yyyy-mm-dd. Required in a first request. */
  date: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'hour' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByOsParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'os' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByOsDetailParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Name of the operating system, as the per-OS query printed it. Required in a first request. */
  os: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'detail' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
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

export interface PlayerStatsInfoParameters {
  /** The videoKey */
  k: string;
}

export interface RecordPlayerEventParameters {
  /** The event, as JSON */
  data: string;
}

export interface SendCmcdEventsParameters {
  /** Names a video in a package */
  videoKey: string;
}

export interface KeysParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}

export interface AddKeyParameters {
  /** Any text that is new for each thing to be done, such as a UUID. Sent again within a day with the same key and body, the request is answered as it was the first time. */
  'Idempotency-Key'?: string;
}

export interface RotateKeyParameters {
  /** Key */
  keyId: number;
  /** Any text that is new for each thing to be done, such as a UUID. Sent again within a day with the same key and body, the request is answered as it was the first time. */
  'Idempotency-Key'?: string;
}

export interface RevokeKeyParameters {
  /** Key */
  keyId: number;
}

export interface ManageFoldersParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}

export interface AddFolderParameters {
  /** Any text that is new for each thing to be done, such as a UUID. Sent again within a day with the same key and body, the request is answered as it was the first time. */
  'Idempotency-Key'?: string;
}

export interface ManageFolderParameters {
  /** Folder */
  folderId: number;
}

export interface PutFolderParameters {
  /** Folder */
  folderId: number;
}

export interface ChangeFolderParameters {
  /** Folder */
  folderId: number;
}

export interface DeleteFolderParameters {
  /** Folder */
  folderId: number;
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

export interface AddVideoParameters {
  /** Any text that is new for each thing to be done, such as a UUID. Sent again within a day with the same key and body, the request is answered as it was the first time. */
  'Idempotency-Key'?: string;
}

export interface ManageVideoParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface PutVideoParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface ChangeVideoParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface DeleteVideoParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface ManageThumbnailsParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface PutThumbnailsParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface SelectThumbnailParameters {
  /** Original key of the video */
  accessKey: string;
}

export interface ManagePackagesParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}

export interface AddPackageParameters {
  /** Any text that is new for each thing to be done, such as a UUID. Sent again within a day with the same key and body, the request is answered as it was the first time. */
  'Idempotency-Key'?: string;
}

export interface ManagePackageParameters {
  /** Package */
  packageId: number;
}

export interface PutPackageParameters {
  /** Package */
  packageId: number;
}

export interface ChangePackageParameters {
  /** Package */
  packageId: number;
}

export interface DeletePackageParameters {
  /** Package */
  packageId: number;
}

export interface PublicationsParameters {
  /** Package */
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

export interface PublicationParameters {
  /** Package */
  packageId: number;
  /** Original key of the video */
  accessKey: string;
}

export interface PublishParameters {
  /** Package */
  packageId: number;
  /** Original key of the video */
  accessKey: string;
}

export interface ChangePublicationParameters {
  /** Package */
  packageId: number;
  /** Original key of the video */
  accessKey: string;
}

export interface RetireParameters {
  /** Package */
  packageId: number;
  /** Original key of the video */
  accessKey: string;
}

export interface LedgerParameters {
  /** First day in UTC, yyyy-mm-dd */
  sdate: string;
  /** Last day in UTC, yyyy-mm-dd */
  edate: string;
}
