/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

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

export interface PlayerLogAnswer {
  errorInfo: ErrorInfo;
}

export interface PlayerLogEvent {
  /**
   * What happened: pl loaded, sr ready, vs play started, vi still playing, vp paused, vk seeking,
   * vt stopped
   */
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

export interface PlayerStatsInfoParameters {
  /** The videoKey */
  k: string;
}

export interface RecordPlayerEventParameters {
  /** The event, as JSON */
  data: string;
}
