/**
 * The types of the interface. Generated from docs/openapi.json by `npm run generate`, as
 * json-schema-to-typescript writes them.
 */

/**
 * Every type of the interface, by its name.
 */
export interface Schemas {
  Acceptance: Acceptance;
  Account: Account;
  AccountChanges: AccountChanges;
  AccountClosure: AccountClosure;
  Alert: Alert;
  AlertChanges: AlertChanges;
  AlertFields: AlertFields;
  AlertList: AlertList;
  Annotation: Annotation;
  AnnotationChanges: AnnotationChanges;
  AnnotationFields: AnnotationFields;
  AnnotationList: AnnotationList;
  AuditEntry: AuditEntry;
  AuditPage: AuditPage;
  Beacon: Beacon;
  BeaconsAnswer: BeaconsAnswer;
  BeaconsRequest: BeaconsRequest;
  BoundedBeacon: BoundedBeacon;
  Concurrency: Concurrency;
  ConcurrencyAnswer: ConcurrencyAnswer;
  ConcurrencyRow: ConcurrencyRow;
  Delivery: Delivery;
  DeliveryChannels: DeliveryChannels;
  DeliveryList: DeliveryList;
  DimensionDescription: DimensionDescription;
  Distribution: Distribution;
  DistributionAnswer: DistributionAnswer;
  DistributionBucket: DistributionBucket;
  DistributionSpread: DistributionSpread;
  EmailChange: EmailChange;
  EmailConfirmation: EmailConfirmation;
  EmailLink: EmailLink;
  ErasureCounts: ErasureCounts;
  ErasureList: ErasureList;
  ErasureReceipt: ErasureReceipt;
  ErrorInfo: ErrorInfo;
  Finding: Finding;
  Folder: Folder;
  FolderChanges: FolderChanges;
  FolderFields: FolderFields;
  FolderList: FolderList;
  FolderVideo: FolderVideo;
  FolderVideosAnswer: FolderVideosAnswer;
  FoldersAnswer: FoldersAnswer;
  Forgotten: Forgotten;
  FullDimension: FullDimension;
  Health: Health;
  Invitation: Invitation;
  InvitationFields: InvitationFields;
  InvitationList: InvitationList;
  Key: Key;
  KeyChanges: KeyChanges;
  KeyFields: KeyFields;
  KeyList: KeyList;
  Label: Label;
  LabelFields: LabelFields;
  LabelList: LabelList;
  Ledger: Ledger;
  LedgerDay: LedgerDay;
  LimitReached: LimitReached;
  Live: Live;
  LiveAnswer: LiveAnswer;
  LiveMinute: LiveMinute;
  LiveQuality: LiveQuality;
  LiveVideo: LiveVideo;
  Me: Me;
  MeasureDescription: MeasureDescription;
  Member: Member;
  MemberFields: MemberFields;
  MemberList: MemberList;
  NativeVideoDetail: NativeVideoDetail;
  NewAccountFields: NewAccountFields;
  NewAlert: NewAlert;
  NewEmail: NewEmail;
  NewInvitation: NewInvitation;
  NewKey: NewKey;
  NewReport: NewReport;
  NewSecondFactor: NewSecondFactor;
  NewShare: NewShare;
  NewSigningKey: NewSigningKey;
  NewVideoFields: NewVideoFields;
  OpenInvitation: OpenInvitation;
  OwnPerson: OwnPerson;
  Package: Package;
  PackageChanges: PackageChanges;
  PackageFields: PackageFields;
  PackageList: PackageList;
  PackageVideosAnswer: PackageVideosAnswer;
  PackagesAnswer: PackagesAnswer;
  Paging: Paging;
  PasswordChange: PasswordChange;
  Person: Person;
  PersonAccount: PersonAccount;
  PersonAccountList: PersonAccountList;
  PersonChanges: PersonChanges;
  PersonList: PersonList;
  PlayerLogAnswer: PlayerLogAnswer;
  PlayerLogEvent: PlayerLogEvent;
  Problem: Problem;
  ProviderStart: ProviderStart;
  ProviderUrl: ProviderUrl;
  Publication: Publication;
  PublicationFields: PublicationFields;
  PublicationList: PublicationList;
  QualityBasis: QualityBasis;
  QueryAnswer: QueryAnswer;
  QueryMeasures: QueryMeasures;
  QueryRow: QueryRow;
  QuerySchemaAnswer: QuerySchemaAnswer;
  QueryTotals: QueryTotals;
  Readiness: Readiness;
  RecoveryCodes: RecoveryCodes;
  RefusedBeacon: RefusedBeacon;
  RefusedLabel: RefusedLabel;
  RefusedRow: RefusedRow;
  Report: Report;
  ReportChanges: ReportChanges;
  ReportFields: ReportFields;
  ReportList: ReportList;
  Reset: Reset;
  ResetLink: ResetLink;
  Retention: Retention;
  RetentionAnswer: RetentionAnswer;
  RetentionPart: RetentionPart;
  RotationFields: RotationFields;
  SavedView: SavedView;
  SavedViewChanges: SavedViewChanges;
  SavedViewFields: SavedViewFields;
  SavedViewList: SavedViewList;
  SecondFactorCode: SecondFactorCode;
  SecondFactorRemoval: SecondFactorRemoval;
  SecondFactorStart: SecondFactorStart;
  SelectedThumbnail: SelectedThumbnail;
  SentDeliveries: SentDeliveries;
  ServiceAccount: ServiceAccount;
  ServiceAccountList: ServiceAccountList;
  ServiceFindings: ServiceFindings;
  ServiceHealth: ServiceHealth;
  ServiceLimit: ServiceLimit;
  ServiceLimits: ServiceLimits;
  SessionList: SessionList;
  SessionRecord: SessionRecord;
  Share: Share;
  ShareFields: ShareFields;
  ShareList: ShareList;
  SharedView: SharedView;
  ShownInvitation: ShownInvitation;
  SignIn: SignIn;
  SignInWays: SignInWays;
  SignedIn: SignedIn;
  SigningKey: SigningKey;
  SigningKeyFields: SigningKeyFields;
  SigningKeyList: SigningKeyList;
  SigningRotationFields: SigningRotationFields;
  StatisticsByDate: StatisticsByDate;
  StatisticsByDateRow: StatisticsByDateRow;
  StatisticsByHour: StatisticsByHour;
  StatisticsByHourRow: StatisticsByHourRow;
  StatisticsByOs: StatisticsByOs;
  StatisticsByOsDetail: StatisticsByOsDetail;
  StatisticsByOsDetailRow: StatisticsByOsDetailRow;
  StatisticsByOsRow: StatisticsByOsRow;
  StatsInfo: StatsInfo;
  Suspect: Suspect;
  SuspectList: SuspectList;
  ThumbnailFields: ThumbnailFields;
  ThumbnailItem: ThumbnailItem;
  ThumbnailsAnswer: ThumbnailsAnswer;
  ThumbnailsBody: ThumbnailsBody;
  Verdict: Verdict;
  VerdictFields: VerdictFields;
  Video: Video;
  VideoChanges: VideoChanges;
  VideoDetailAnswer: VideoDetailAnswer;
  VideoInfo: VideoInfo;
  VideoList: VideoList;
  VideosImport: VideosImport;
  VideosImported: VideosImported;
  ViewerBasis: ViewerBasis;
  ViewerCompletion: ViewerCompletion;
  Viewers: Viewers;
  ViewersAnswer: ViewersAnswer;
  ViewersTotals: ViewersTotals;
  WholeDelivery: WholeDelivery;
  WholeFolder: WholeFolder;
  WholeLabel: WholeLabel;
  WholePackage: WholePackage;
  WholePublication: WholePublication;
  WholeVideo: WholeVideo;
  StatisticsByDateParameters: StatisticsByDateParameters;
  StatisticsByHourParameters: StatisticsByHourParameters;
  StatisticsByOsParameters: StatisticsByOsParameters;
  StatisticsByOsDetailParameters: StatisticsByOsDetailParameters;
  RetentionParameters: RetentionParameters;
  ConcurrencyParameters: ConcurrencyParameters;
  DistributionParameters: DistributionParameters;
  LiveParameters: LiveParameters;
  QueryParameters: QueryParameters;
  ViewersParameters: ViewersParameters;
  VideoDetailParameters: VideoDetailParameters;
  FolderVideosParameters: FolderVideosParameters;
  PackageVideosParameters: PackageVideosParameters;
  ThumbnailsParameters: ThumbnailsParameters;
  PlayerVideoDetailParameters: PlayerVideoDetailParameters;
  PlayerStatsInfoParameters: PlayerStatsInfoParameters;
  RecordPlayerEventParameters: RecordPlayerEventParameters;
  IgnorePlayerSectionsParameters: IgnorePlayerSectionsParameters;
  IgnorePlayerCuePointsParameters: IgnorePlayerCuePointsParameters;
  SendCmcdEventsParameters: SendCmcdEventsParameters;
  SendCmcdEventParameters: SendCmcdEventParameters;
  MembersParameters: MembersParameters;
  InvitationsParameters: InvitationsParameters;
  OwnSessionsParameters: OwnSessionsParameters;
  OwnAccountsParameters: OwnAccountsParameters;
  PeopleParameters: PeopleParameters;
  ServiceAccountsParameters: ServiceAccountsParameters;
  KeysParameters: KeysParameters;
  SigningKeysParameters: SigningKeysParameters;
  ManageFoldersParameters: ManageFoldersParameters;
  ManageVideosParameters: ManageVideosParameters;
  ManagePackagesParameters: ManagePackagesParameters;
  PublicationsParameters: PublicationsParameters;
  VideoPublicationsParameters: VideoPublicationsParameters;
  LabelsParameters: LabelsParameters;
  SharesParameters: SharesParameters;
  AnnotationsParameters: AnnotationsParameters;
  SavedViewsParameters: SavedViewsParameters;
  AlertsParameters: AlertsParameters;
  ReportsParameters: ReportsParameters;
  DeliveriesParameters: DeliveriesParameters;
  LedgerParameters: LedgerParameters;
  AuditParameters: AuditParameters;
  ServiceAuditParameters: ServiceAuditParameters;
  SuspectsParameters: SuspectsParameters;
  ErasePlaybackParameters: ErasePlaybackParameters;
  ErasuresParameters: ErasuresParameters;
  ReadinessParameters: ReadinessParameters;
}
export interface Acceptance {
  /**
   * What stands behind the `=` in the fragment of the link
   */
  invitation: string;
  /**
   * Name
   */
  name?: string;
  /**
   * Mail address; upper and lower case are alike
   */
  email?: string;
  /**
   * Language of mails
   */
  language?: 'en' | 'ko';
  /**
   * At least 10 characters, and none of the first that are guessed
   */
  password?: string;
}
export interface Account {
  /**
   * Id of the account
   */
  accountId: number;
  /**
   * Name of the account
   */
  name: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone: string;
  /**
   * Whether player-log sessions count if this service did not issue their `uid` and `cs`
   */
  takesUnsealed: boolean;
  /**
   * How viewers are told apart. `anonymous`: a viewer whom the page or a signed token names is named, any other is anonymous and of one day. `daily`: names are ignored: all viewers are anonymous and of one day. `named`: only named viewers; nobody is told apart by address and User-Agent. `none`: no viewers: every view is a viewer of its own
   */
  viewers: 'anonymous' | 'daily' | 'named' | 'none';
  /**
   * For how many whole months before this one single facts are kept. Older ones are erased; `keepsSums` says what becomes of their sums
   */
  factsMonths: number;
  /**
   * Whether plays and time by video, package, system and time stay when single facts are erased by their age; if not, nothing is left of those months
   */
  keepsSums: boolean;
}
export interface AccountChanges {
  /**
   * Name of the account
   */
  name?: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone?: string;
  /**
   * Whether player-log sessions count if this service did not issue their `uid` and `cs`
   */
  takesUnsealed?: boolean;
  /**
   * How viewers are told apart. `anonymous`: a viewer whom the page or a signed token names is named, any other is anonymous and of one day. `daily`: names are ignored: all viewers are anonymous and of one day. `named`: only named viewers; nobody is told apart by address and User-Agent. `none`: no viewers: every view is a viewer of its own
   */
  viewers?: 'anonymous' | 'daily' | 'named' | 'none';
  /**
   * For how many whole months before this one single facts are kept. Older ones are erased; `keepsSums` says what becomes of their sums
   */
  factsMonths?: number;
  /**
   * Whether plays and time by video, package, system and time stay when single facts are erased by their age; if not, nothing is left of those months
   */
  keepsSums?: boolean;
}
export interface AccountClosure {
  /**
   * The name of the account, so that no other is closed by mistake
   */
  name: string;
}
export interface Alert {
  /**
   * Id of the alert
   */
  alertId: number;
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * `threshold`: a measure of an hour or a day beyond a limit; `drop`: lower than on the same weekday before; `silence`: no playback for some minutes
   */
  kind: 'threshold' | 'drop' | 'silence';
  /**
   * What is measured, as in `query`; null: `silence`
   */
  measure:
    | (
        | 'plays'
        | 'playMs'
        | 'views'
        | 'viewers'
        | 'averagePlayMs'
        | 'mediaMs'
        | 'positionedViews'
        | 'seenMs'
        | 'averageSeen'
        | 'completions'
        | 'reached25'
        | 'reached50'
        | 'reached75'
        | 'reached100'
        | 'attempts'
        | 'starts'
        | 'exitsBeforeStart'
        | 'exitShare'
        | 'startFailures'
        | 'startFailureShare'
        | 'failures'
        | 'failureShare'
        | 'startupMs'
        | 'startupP50'
        | 'startupP75'
        | 'startupP95'
        | 'startupP99'
        | 'stalls'
        | 'stallsPerHour'
        | 'stalledViews'
        | 'stalledShare'
        | 'stallMs'
        | 'stalledTimeShare'
        | 'seekMs'
        | 'bitrate'
        | 'droppedShare'
      )
    | null;
  /**
   * Hours or days by the clock of the account, by default `day`; null: `silence`
   */
  per: ('hour' | 'day') | null;
  /**
   * `threshold`: the measure is larger than this
   */
  above: number | null;
  /**
   * `threshold`: the measure is smaller than this
   */
  below: number | null;
  /**
   * `drop`: lower than expected by this many percent or more
   */
  percent: number | null;
  /**
   * `drop`: expected is the average of the same weekday, or of the same hour on it, in so many weeks before; default: 4
   */
  weeks: number | null;
  /**
   * `drop`: no alert where less than this was expected; default: 0
   */
  atLeast: number | null;
  /**
   * `silence`: nothing played for this many minutes
   */
  minutes: number | null;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo: string[];
  /**
   * Whether its condition held when it was judged last
   */
  isFiring: boolean;
  /**
   * The end of the time that was judged last, or when it was created
   */
  judgedThrough: string;
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused: boolean;
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key or the system user
   */
  createdByName: string;
}
export interface AlertChanges {
  /**
   * Its name, which its messages show
   */
  name?: string;
  /**
   * `threshold`: a measure of an hour or a day beyond a limit; `drop`: lower than on the same weekday before; `silence`: no playback for some minutes
   */
  kind?: 'threshold' | 'drop' | 'silence';
  /**
   * What is measured, as in `query`; null: `silence`
   */
  measure?:
    | 'plays'
    | 'playMs'
    | 'views'
    | 'viewers'
    | 'averagePlayMs'
    | 'mediaMs'
    | 'positionedViews'
    | 'seenMs'
    | 'averageSeen'
    | 'completions'
    | 'reached25'
    | 'reached50'
    | 'reached75'
    | 'reached100'
    | 'attempts'
    | 'starts'
    | 'exitsBeforeStart'
    | 'exitShare'
    | 'startFailures'
    | 'startFailureShare'
    | 'failures'
    | 'failureShare'
    | 'startupMs'
    | 'startupP50'
    | 'startupP75'
    | 'startupP95'
    | 'startupP99'
    | 'stalls'
    | 'stallsPerHour'
    | 'stalledViews'
    | 'stalledShare'
    | 'stallMs'
    | 'stalledTimeShare'
    | 'seekMs'
    | 'bitrate'
    | 'droppedShare';
  /**
   * Hours or days by the clock of the account, by default `day`; null: `silence`
   */
  per?: 'hour' | 'day';
  /**
   * `threshold`: the measure is larger than this
   */
  above?: number;
  /**
   * `threshold`: the measure is smaller than this
   */
  below?: number;
  /**
   * `drop`: lower than expected by this many percent or more
   */
  percent?: number;
  /**
   * `drop`: expected is the average of the same weekday, or of the same hour on it, in so many weeks before; default: 4
   */
  weeks?: number;
  /**
   * `drop`: no alert where less than this was expected; default: 0
   */
  atLeast?: number;
  /**
   * `silence`: nothing played for this many minutes
   */
  minutes?: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters?: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url?: string | null;
  /**
   * Secret that messages to `url` are signed with; null: a new one
   */
  secret?: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo?: string[];
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused?: boolean;
}
export interface AlertFields {
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * `threshold`: a measure of an hour or a day beyond a limit; `drop`: lower than on the same weekday before; `silence`: no playback for some minutes
   */
  kind: 'threshold' | 'drop' | 'silence';
  /**
   * What is measured, as in `query`; null: `silence`
   */
  measure?:
    | 'plays'
    | 'playMs'
    | 'views'
    | 'viewers'
    | 'averagePlayMs'
    | 'mediaMs'
    | 'positionedViews'
    | 'seenMs'
    | 'averageSeen'
    | 'completions'
    | 'reached25'
    | 'reached50'
    | 'reached75'
    | 'reached100'
    | 'attempts'
    | 'starts'
    | 'exitsBeforeStart'
    | 'exitShare'
    | 'startFailures'
    | 'startFailureShare'
    | 'failures'
    | 'failureShare'
    | 'startupMs'
    | 'startupP50'
    | 'startupP75'
    | 'startupP95'
    | 'startupP99'
    | 'stalls'
    | 'stallsPerHour'
    | 'stalledViews'
    | 'stalledShare'
    | 'stallMs'
    | 'stalledTimeShare'
    | 'seekMs'
    | 'bitrate'
    | 'droppedShare';
  /**
   * Hours or days by the clock of the account, by default `day`; null: `silence`
   */
  per?: 'hour' | 'day';
  /**
   * `threshold`: the measure is larger than this
   */
  above?: number;
  /**
   * `threshold`: the measure is smaller than this
   */
  below?: number;
  /**
   * `drop`: lower than expected by this many percent or more
   */
  percent?: number;
  /**
   * `drop`: expected is the average of the same weekday, or of the same hour on it, in so many weeks before; default: 4
   */
  weeks?: number;
  /**
   * `drop`: no alert where less than this was expected; default: 0
   */
  atLeast?: number;
  /**
   * `silence`: nothing played for this many minutes
   */
  minutes?: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters?: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url?: string | null;
  /**
   * Secret that messages to `url` are signed with; null: a new one
   */
  secret?: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo?: string[];
}
export interface AlertList {
  list: Alert[];
  paging: Paging;
}
export interface Paging {
  /**
   * Page number
   */
  page: number;
  /**
   * Items per page
   */
  pageSize: number;
  /**
   * Total number of items
   */
  totalCount: number;
  /**
   * Total number of pages
   */
  totalPage: number;
}
export interface Annotation {
  /**
   * Id of the annotation
   */
  annotationId: number;
  /**
   * `published`: something came out. `campaign`: it was advertised, or sent round. `outage`: something did not work. `note`: anything else
   */
  kind: 'published' | 'campaign' | 'outage' | 'note';
  /**
   * What happened, on one line
   */
  text: string;
  /**
   * When it happened, or began
   */
  at: string;
  /**
   * When it ended; null: it is of one moment
   */
  until: string | null;
  /**
   * The package that it is about; null: a video, or the whole account
   */
  packageId: number | null;
  /**
   * The video that it is about; null: a package, or the whole account
   */
  accessKey: string | null;
  /**
   * When it was written
   */
  createdAt: string;
  /**
   * Who wrote it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key, the person or the system user
   */
  createdByName: string;
}
export interface AnnotationChanges {
  /**
   * `published`: something came out. `campaign`: it was advertised, or sent round. `outage`: something did not work. `note`: anything else
   */
  kind?: 'published' | 'campaign' | 'outage' | 'note';
  /**
   * What happened, on one line
   */
  text?: string;
  /**
   * When it happened, or began
   */
  at?: string;
  /**
   * When it ended; null: it is of one moment. After `at`
   */
  until?: string | null;
}
export interface AnnotationFields {
  /**
   * `published`: something came out. `campaign`: it was advertised, or sent round. `outage`: something did not work. `note`: anything else
   */
  kind?: 'published' | 'campaign' | 'outage' | 'note';
  /**
   * What happened, on one line
   */
  text: string;
  /**
   * When it happened, or began
   */
  at: string;
  /**
   * When it ended; null: it is of one moment. After `at`
   */
  until?: string | null;
  /**
   * The package that it is about; null: a video, or the whole account
   */
  packageId?: number | null;
  /**
   * The video that it is about; null: a package, or the whole account
   */
  accessKey?: string | null;
}
export interface AnnotationList {
  list: Annotation[];
  paging: Paging;
}
export interface AuditEntry {
  /**
   * Id of the entry
   */
  auditId: number;
  /**
   * When, by the clock of the service
   */
  at: string;
  /**
   * Who: `KEY:` and the id of the key, `PERSON:` and the id of the person, ...
   */
  actor: string;
  /**
   * The name of the key or person, or the system user who ran the command line
   */
  actorName: string;
  /**
   * IP address of the request; null: there was no request
   */
  address: string | null;
  /**
   * What was done
   */
  action: string;
  /**
   * Id or original key of what was changed; null: several at once
   */
  object: string | null;
  /**
   * The members that changed, before the change; null: it did not exist
   */
  before: {
    [k: string]: unknown;
  } | null;
  /**
   * The same members after the change; null: it was deleted
   */
  after: {
    [k: string]: unknown;
  } | null;
}
export interface AuditPage {
  /**
   * Newest first
   */
  list: AuditEntry[];
  /**
   * `pageToken` of the next page; null: this is the last page
   */
  nextToken: string | null;
}
export interface Beacon {
  /**
   * Id of the view (one viewer's attempt at one video), preferably a UUID
   */
  view: string;
  /**
   * Number of the stretch within its view, from 0. Stretch 0 counts the play
   */
  stretch?: number;
  /**
   * When the stretch began, by the server's clock; see the header `Server-Time`
   */
  at: string;
  /**
   * How long the stretch has lasted so far, in milliseconds; with `stretch`
   */
  playMs?: number;
  /**
   * In place of `stretch`: number of a wait within its view, from 0, apart from the stretches. Wait 0 is the start: from the request to play to the first frame that plays
   */
  wait?: number;
  /**
   * How long the wait has lasted so far, without pauses, in milliseconds
   */
  waitMs?: number;
  /**
   * Why the viewer waits. Wait 0 is `start`, and no other is; `stall`: the media ran dry; `seek`: the viewer jumped; `error`: playback broke off without a wait
   */
  cause?: 'start' | 'seek' | 'stall' | 'error';
  /**
   * How the wait ended: `waiting` so far, `left` by the viewer, `failed` with a fatal error, `played`. The last in this order that was ever told holds
   */
  outcome?: 'waiting' | 'left' | 'failed' | 'played';
  /**
   * A short code, with `failed`, `played` after it, or the cause `error`
   */
  error?: string;
  /**
   * Host that the media comes from; with anything else it is `Unknown`
   */
  mediaHost?: string;
  /**
   * Bits of the media played in the stretch so far: the bitrate of what is shown times media time. It only grows, like `playMs`
   */
  mediaBits?: number;
  /**
   * Frames of the stretch so far, with those that were dropped; it only grows
   */
  frames?: number;
  /**
   * Of these, frames that were not shown
   */
  droppedFrames?: number;
  /**
   * Whether the media is a live stream
   */
  streamType?: 'vod' | 'live';
  /**
   * The browser's `navigator.connection.effectiveType`
   */
  connection?: 'slow-2g' | '2g' | '3g' | '4g';
  /**
   * Key of the video in its package; public, so no API key is needed
   */
  videoKey?: string;
  /**
   * Original key of the video: with `packageId` and an API key, instead of `videoKey`
   */
  accessKey?: string;
  /**
   * Id of the package; only with `accessKey`
   */
  packageId?: number;
  /**
   * User-Agent of the device; needs an API key
   */
  userAgent?: string;
  /**
   * Platform of the device, as in `navigator.userAgentData.platform` or the header `Sec-CH-UA-Platform`, which it overrides. Send the same in every beacon of a view: another value counts under another operating system
   */
  platform?: string;
  /**
   * Version of the platform, as in `Sec-CH-UA-Platform-Version`; the same in every beacon of a view
   */
  platformVersion?: string;
  /**
   * Token by which the site's server vouches for the view; see docs/signed-views.md. In every beacon of the view
   */
  token?: string;
  /**
   * Where in the media the stretch began, in milliseconds; the same in all its beacons
   */
  position?: number;
  /**
   * How far the media has advanced in the stretch so far, in milliseconds: at double speed about twice `playMs`, played backwards 0. Like `playMs` it only grows. More than 16 times `playMs`, faster than any browser plays, counts as that much, and the answer says so in `bounded`
   */
  mediaMs?: number;
  /**
   * The page's own name of the viewer. Only a keyed hash is stored, never the text
   */
  viewer?: string;
  /**
   * URL of the page. Its host and path are kept, at most 512 characters; query and fragment never are. Only http: and https: count; with any other text the page is `Unknown`, and the beacon counts all the same
   */
  page?: string;
  /**
   * URL that led to the page; only its host is kept, or of `android-app:` the name of the app. With any other text it is `Unknown`
   */
  referrer?: string;
  /**
   * The player, as `name/version`; anything else counts as `Unknown`
   */
  player?: string;
  /**
   * Values of labels that the account has declared. Other names, values of more than 64 characters, and what is beyond 5 labels (by name) are left out and counted as such; the beacon itself counts
   */
  labels?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string;
  };
  /**
   * The viewer's IP address; needs an API key. Used for the country and the anonymous viewer, then forgotten
   */
  address?: string;
}
export interface BeaconsAnswer {
  /**
   * Beacons that are safely stored. Unusual ones are set apart and not counted; those whose playback was erased before, or is of days whose single facts are erased (`factsMonths`), are left out, and the ledger counts them as `erased`
   */
  accepted: number;
  /**
   * Refused beacons; sending them again does not help
   */
  rejected: RefusedBeacon[];
  /**
   * Labels that were left out of accepted beacons, though the account has declared them: their values do not fit. Absent where there are none
   */
  refusedLabels?: RefusedLabel[];
  /**
   * Accepted beacons of which a member counts as less than was sent: `mediaMs`, at most 16 times `playMs`. Absent where there are none
   */
  bounded?: BoundedBeacon[];
}
export interface RefusedBeacon {
  /**
   * Position in the request, from 0
   */
  index: number;
  /**
   * Why it was refused
   */
  code:
    | 'INVALID_BEACON'
    | 'KEY_REQUIRED'
    | 'UNKNOWN_VIDEO'
    | 'RETIRED_VIDEO'
    | 'UNKNOWN_EVENT'
    | 'UNSEALED'
    | 'UNSIGNED'
    | 'ORIGIN'
    | 'TOO_OLD'
    | 'IN_FUTURE'
    | 'OTHER_BEGINNING'
    | 'BOT'
    | 'TOO_MANY_EVENTS'
    | 'TOO_MUCH_APART';
  /**
   * The same in words
   */
  detail: string;
}
export interface RefusedLabel {
  /**
   * Position in the request, from 0
   */
  index: number;
  /**
   * Name of the label
   */
  label: string;
  /**
   * What is wrong with its value
   */
  detail: string;
}
export interface BoundedBeacon {
  /**
   * Position in the request, from 0
   */
  index: number;
  /**
   * The member that was too large
   */
  member: 'mediaMs';
  /**
   * What it counts as
   */
  value: number;
}
export interface BeaconsRequest {
  /**
   * @maxItems 1000
   */
  beacons: Beacon[];
}
export interface Concurrency {
  /**
   * Every interval of the range, in order
   */
  list: ConcurrencyRow[];
}
export interface ConcurrencyRow {
  /**
   * Start of the interval, RFC 3339 with the offset of the zone; of a day, yyyy-mm-dd
   */
  time: string;
  /**
   * Most stretches playing at one instant
   */
  peak: number;
  /**
   * The first such instant, RFC 3339 with the offset of the zone; null where the peak is 0
   */
  peakAt: string | null;
  /**
   * How many were playing on average: playback time / length of the interval; three decimals
   */
  average: number;
}
export interface ConcurrencyAnswer {
  isSuccess: true;
  message: '';
  data: Concurrency;
}
export interface Delivery {
  /**
   * Id of the delivery
   */
  deliveryId: number;
  /**
   * The header `webhook-id`, and the beginning of a mail's Message-ID: the same in every attempt
   */
  messageId: string;
  /**
   * The alert that it is of; null: a report
   */
  alertId: number | null;
  /**
   * The report that it is of; null: an alert
   */
  reportId: number | null;
  /**
   * How it is delivered
   */
  channel: 'webhook' | 'mail';
  /**
   * The URL, or the mail address
   */
  receiver: string;
  /**
   * What it says
   */
  type: 'alert.firing' | 'alert.resolved' | 'alert.test' | 'report.ready';
  /**
   * `waiting`: for its first or next attempt; `failed`: it was given up
   */
  state: 'waiting' | 'delivered' | 'failed';
  /**
   * Attempts so far
   */
  attempts: number;
  /**
   * When it was to be delivered first
   */
  createdAt: string;
  /**
   * When the last attempt began; null: there was none
   */
  attemptedAt: string | null;
  /**
   * When the next attempt is due; null: there is none
   */
  nextAttemptAt: string | null;
  /**
   * HTTP status, or SMTP code, of the last answer; null: there was none
   */
  status: number | null;
  /**
   * Why the last attempt failed; null: it did not
   */
  error: string | null;
}
export interface DeliveryChannels {
  /**
   * Whether this service sends mail: its operator has set `SMTP_URL`
   */
  mail: boolean;
}
export interface DeliveryList {
  list: Delivery[];
  paging: Paging;
}
export interface DimensionDescription {
  /**
   * As in `dimensions` and `filters`
   */
  name: string;
  /**
   * Empty: dimensions have none
   */
  unit: string;
  kind: 'time' | 'content' | 'audience';
  definition: string;
  additive: false;
  /**
   * All values there are; absent: any
   */
  values?: string[];
  /**
   * The dimension that must be asked for as well
   */
  askedWith?: string;
  /**
   * Where its values come from, as the service is configured
   */
  source?: string;
  /**
   * To be shown wherever its values are shown
   */
  attribution?: string;
  /**
   * Since when it is collected for this account; what was collected before is `Unknown`, or in no measure that needs it
   */
  since: string;
}
export interface Distribution {
  measure: 'startupMs' | 'stallMs' | 'bitrate' | 'playMs' | 'seen';
  unit: 'ms' | 'kbit/s' | '0 to 1';
  /**
   * Views with a value
   */
  views: number;
  /**
   * Of all values; null without any, as the percentiles
   */
  mean: number | null;
  /**
   * Half of the values are at most this one: exact, by nearest rank
   */
  p50: number | null;
  /**
   * Likewise three quarters
   */
  p75: number | null;
  /**
   * Likewise 95 %
   */
  p95: number | null;
  /**
   * Likewise 99 %
   */
  p99: number | null;
  /**
   * All buckets, also empty ones: from 0 to 10, then ten for each power of ten; of `seen` twenty equal ones
   */
  list: DistributionBucket[];
  qualityBasis?: QualityBasis;
  /**
   * With `compare`: of the range compared with; null: nothing there
   */
  previous?: DistributionSpread | null;
}
export interface DistributionBucket {
  /**
   * The smallest value in it
   */
  from: number;
  /**
   * Where the next one begins; null: it has no upper bound. Of `seen` 1 is in the last
   */
  to: number | null;
  views: number;
}
/**
 * What measures of quality rest on
 */
export interface QualityBasis {
  /**
   * Attempts to start playback that began in the range and were reported
   */
  attempts: number;
  /**
   * All views with playback or a wait in the range, reported or not
   */
  views: number;
}
export interface DistributionSpread {
  /**
   * Views with a value
   */
  views: number;
  /**
   * Of all values; null without any, as the percentiles
   */
  mean: number | null;
  /**
   * Half of the values are at most this one: exact, by nearest rank
   */
  p50: number | null;
  /**
   * Likewise three quarters
   */
  p75: number | null;
  /**
   * Likewise 95 %
   */
  p95: number | null;
  /**
   * Likewise 99 %
   */
  p99: number | null;
  /**
   * All buckets, also empty ones: from 0 to 10, then ten for each power of ten; of `seen` twenty equal ones
   */
  list: DistributionBucket[];
}
export interface DistributionAnswer {
  isSuccess: true;
  message: '';
  data: Distribution;
}
export interface EmailChange {
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
  /**
   * The password, if there is one
   */
  password?: string;
  /**
   * Of the authenticator app, or a recovery code
   */
  code?: string;
}
export interface EmailConfirmation {
  /**
   * What stands behind the `=` in the fragment of the link
   */
  link: string;
}
export interface EmailLink {
  /**
   * The link, after the URL of the service; shown only in this answer
   */
  path: string;
}
export interface ErasureCounts {
  /**
   * Id of the receipt; null: a dry run
   */
  receipt: string | null;
  /**
   * Views that were found
   */
  views: number;
  /**
   * Stored parts of their stretches
   */
  facts: number;
}
export interface ErasureList {
  list: ErasureReceipt[];
  paging: Paging;
}
export interface ErasureReceipt {
  /**
   * Its id
   */
  receipt: string;
  /**
   * `views`: one view. `viewer`: all views of a viewer. `playback`: of a video, a package or the account. `facts`: facts before a day, whose sums stay
   */
  kind: 'views' | 'viewer' | 'playback' | 'facts';
  /**
   * The video; null: any
   */
  videoId: number | null;
  /**
   * The package; null: any
   */
  packageId: number | null;
  /**
   * What was played before was erased; views are erased whole
   */
  until: string;
  /**
   * `waiting`: recorded, and nothing more of it is stored. `summing`: statistics are made without it. `deleting`: no answer contains it. `done`: it is in no table
   */
  state: 'waiting' | 'summing' | 'deleting' | 'done';
  /**
   * Views that were erased
   */
  views: number;
  /**
   * Stored parts of their stretches
   */
  facts: number;
  /**
   * When it was recorded
   */
  at: string;
  /**
   * Who, as in the audit: `KEY:` and its id, or `COMMAND_LINE`
   */
  by: string;
  doneAt: string | null;
}
export interface ErrorInfo {
  /**
   * `None`, or why the event was not counted
   */
  errorCode: string;
  errorMessage: string;
}
export interface Finding {
  /**
   * `error`: something does not work, or soon will not
   */
  level: 'ok' | 'warning' | 'error';
  /**
   * What was found
   */
  what: string;
  /**
   * What to do about it; empty: nothing
   */
  do: string;
}
export interface Folder {
  /**
   * Id of the folder
   */
  folderId: number;
  /**
   * Name of the folder
   */
  folderName: string;
}
export interface FolderChanges {
  /**
   * Name of the folder
   */
  folderName?: string;
}
export interface FolderFields {
  /**
   * Name of the folder
   */
  folderName: string;
}
export interface FolderList {
  list: Folder[];
  paging: Paging;
}
export interface FolderVideo {
  /**
   * Id of the video
   */
  videoId: number;
  /**
   * Original key of the video
   */
  accessKey: string;
  /**
   * Length in milliseconds
   */
  duration: number;
  /**
   * Size of the original file in bytes
   */
  fileSize: number;
  /**
   * Your own identifier
   */
  cid: string | null;
  /**
   * Description of the video
   */
  content: string | null;
  /**
   * URL of the representative thumbnail; empty if there is none
   */
  thumbnailUrl: string;
  /**
   * Height in pixels
   */
  vHeight: number;
  /**
   * Width in pixels
   */
  vWidth: number;
  /**
   * Frames per second
   */
  vFramerate: number;
  /**
   * Title
   */
  title: string;
  /**
   * When the video was created: ISO 8601, UTC, with milliseconds
   */
  cdate: string;
  /**
   * Series
   */
  series: string | null;
  /**
   * Author of the original
   */
  author: string | null;
  /**
   * Copyright notice
   */
  copyright: string | null;
  /**
   * Content rating
   */
  rate: string | null;
  /**
   * Other notes
   */
  etc: string | null;
  /**
   * Whether encoding succeeded, as `encoding_success` in a package; N if unknown
   */
  encodingSuccess: ('Y' | 'N') | null;
}
export interface FolderVideosAnswer {
  videoInfoList: {
    apiVideoSearchOption: {
      keyword: string;
      /**
       * Field to search
       */
      searchItem: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
      /**
       * Sort by this field; ties by id
       */
      sortItem: 'id' | 'title' | 'duration' | 'filesize';
      /**
       * 1: descending; 0: ascending
       */
      sortDirection: 0 | 1;
    };
    paging: Paging;
    folderVideoList: FolderVideo[];
  };
}
export interface FoldersAnswer {
  folderList: {
    /**
     * Id of the folder
     */
    id: number;
    folderName: string;
  }[];
}
export interface Forgotten {
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
}
export interface FullDimension {
  /**
   * Name of the dimension, as in questions
   */
  dimension: string;
  /**
   * Hour in which the first new value of the day counted as `Other`
   */
  since: string;
  /**
   * New values that took the places for such
   */
  named: number;
  /**
   * How often a new value counted as `Other`
   */
  other: number;
}
export interface Health {
  status: 'ok';
}
export interface Invitation {
  /**
   * Id of the invitation
   */
  invitationId: number;
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds: number[] | null;
  /**
   * When it was made
   */
  createdAt: string;
  /**
   * When its link stops working
   */
  expiresAt: string;
  /**
   * Who invites, as in the audit
   */
  createdBy: string;
  /**
   * Their name then
   */
  createdByName: string;
}
export interface InvitationFields {
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds?: number[] | null;
  /**
   * Language of mails
   */
  language?: 'en' | 'ko';
}
export interface InvitationList {
  list: Invitation[];
  paging: Paging;
}
export interface Key {
  /**
   * Id of the key
   */
  keyId: number;
  /**
   * First characters of the key, to recognize it by
   */
  prefix: string;
  /**
   * Name to recognize the key by, such as the program that uses it; may be empty
   */
  name: string;
  /**
   * What the key may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /**
   * When the key was created
   */
  createdAt: string;
  /**
   * When the key expires; null: never
   */
  expiresAt: string | null;
  /**
   * When the key was revoked; null: it is not revoked
   */
  revokedAt: string | null;
  /**
   * When the key was last used, to the minute; null: never
   */
  lastUsedAt: string | null;
  /**
   * Who made it, as in the audit; null: made before this was kept
   */
  createdBy: string | null;
  /**
   * Their name then
   */
  createdByName: string | null;
}
export interface KeyChanges {
  /**
   * Name to recognize the key by, such as the program that uses it; may be empty
   */
  name?: string;
}
export interface KeyFields {
  /**
   * Name to recognize the key by, such as the program that uses it; may be empty
   */
  name?: string;
  /**
   * What the key may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /**
   * When the key expires; default: never
   */
  expiresAt?: string | null;
}
export interface KeyList {
  list: Key[];
  paging: Paging;
}
export interface Label {
  /**
   * Id of the label
   */
  labelId: number;
  /**
   * Its name in beacons, and in questions after `label.`
   */
  name: string;
  /**
   * Since when its values are collected
   */
  declaredAt: string;
}
export interface LabelFields {
  /**
   * Its name in beacons, and in questions after `label.`
   */
  name: string;
}
export interface LabelList {
  list: Label[];
  paging: Paging;
}
export interface Ledger {
  /**
   * Days with beacons, in order
   */
  list: LedgerDay[];
}
export interface LedgerDay {
  /**
   * Day (UTC) on which the beacons arrived
   */
  date: string;
  /**
   * Beacons that arrived: the sum of `counted`, `erased`, `setApart` and `refused`
   */
  received: number;
  /**
   * Counted beacons, repeats included
   */
  counted: number;
  /**
   * Accepted beacons that were left out, because their playback was erased before or is of days whose single facts are erased (`factsMonths`)
   */
  erased: number;
  /**
   * Beacons that count only if their suspect is accepted, by reason; including those of which only some time was set apart
   */
  setApart: {
    /**
     * An unusual amount of playback from one IP address
     */
    ADDRESS: number;
    /**
     * An unusual amount of playback of one video
     */
    VIDEO: number;
    /**
     * An unusual amount of playback by one viewer, named by signed tokens
     */
    VIEWER: number;
    /**
     * A view lasted far longer than its video, or has more stretches than a player makes
     */
    LENGTH: number;
    /**
     * More playback of the account in one day than it stores as usual
     */
    ACCOUNT: number;
    /**
     * The view is not signed
     */
    UNSIGNED: number;
  };
  /**
   * Refused beacons, by reason
   */
  refused: {
    /**
     * A member is missing or invalid
     */
    INVALID_BEACON: number;
    /**
     * A member needs an API key with the scope collect:write
     */
    KEY_REQUIRED: number;
    /**
     * The video is in no package
     */
    UNKNOWN_VIDEO: number;
    /**
     * The video was taken out of its package
     */
    RETIRED_VIDEO: number;
    /**
     * Player logs have no such event
     */
    UNKNOWN_EVENT: number;
    /**
     * This service did not issue the player-log session, and the account accepts no others
     */
    UNSEALED: number;
    /**
     * The package requires signed views, and this one has no valid token
     */
    UNSIGNED: number;
    /**
     * The package does not allow playback on this site
     */
    ORIGIN: number;
    /**
     * The stretch began too long ago
     */
    TOO_OLD: number;
    /**
     * The stretch begins or ends in the future
     */
    IN_FUTURE: number;
    /**
     * Another stretch of the view has this number; number on under its name
     */
    OTHER_BEGINNING: number;
    /**
     * The User-Agent belongs to a bot
     */
    BOT: number;
    /**
     * One address reports more events of one view than a player does
     */
    TOO_MANY_EVENTS: number;
    /**
     * It is unusual, and too much of the account was set apart
     */
    TOO_MUCH_APART: number;
  };
  /**
   * Beacons that were read and answered with 503: their senders still have them, and send them again. They are not part of `received`
   */
  unavailable: number;
  /**
   * Labels that were left out of beacons: their names are not declared, their values are too long or have control characters, or the beacon had too many
   */
  labelsLeftOut: number;
  /**
   * Requests with a key that were answered with 429, by reason
   */
  limitedRequests: {
    /**
     * More requests a minute than one key may send
     */
    A_MINUTE: number;
    /**
     * More statistics requests or imports at once than one account may have waiting
     */
    AT_ONCE: number;
    /**
     * More of the engine's time for statistics than one account may use a minute
     */
    ENGINE_TIME: number;
  };
  /**
   * Dimensions of which a day (UTC) had no place left for a new value, or for more of one IP address. Values of the week before keep their places
   */
  fullDimensions: FullDimension[];
}
export interface LimitReached {
  /**
   * What was beyond it
   */
  limit: string;
  /**
   * Requests answered with `429`
   */
  requests: number;
}
export interface Live {
  /**
   * The moment that this is of
   */
  asOf: string;
  /**
   * Stretches last reported to run to within 15 seconds before that, or to after it
   */
  playing: number;
  /**
   * The 20 with most playing
   */
  videos: LiveVideo[];
  /**
   * The last 30 minutes with the one that is running, in order
   */
  lastMinutes: LiveMinute[];
  quality: LiveQuality;
}
export interface LiveVideo {
  /**
   * Original key of the video
   */
  video: string;
  videoTitle: string;
  /**
   * Stretches of it that are playing
   */
  playing: number;
}
export interface LiveMinute {
  /**
   * Start of the minute, RFC 3339 with the offset of the zone
   */
  time: string;
  /**
   * Most stretches playing at one instant of it
   */
  peak: number;
}
/**
 * How playback starts and runs, as in `query`
 */
export interface LiveQuality {
  /**
   * The quarter hour in which the first of the last 30 minutes lies, from its start: all from then on is in the measures
   */
  since: string;
  /**
   * Percentile 50 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP50: number | null;
  /**
   * Percentile 95 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP95: number | null;
  /**
   * `exitsBeforeStart` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  exitShare: number | null;
  /**
   * `failures` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  failureShare: number | null;
  /**
   * `stallMs` / the playback time and all waits to start, for a seek or in a stall; four decimals, rounded half up; null where there is neither. Only views that report waits are in it
   */
  stalledTimeShare: number | null;
  /**
   * Bits of the media that was played / how far the media advanced, of stretches that reported bits; rounded half up; null where none did. Only views that report waits are in it
   */
  bitrate: number | null;
  qualityBasis: QualityBasis;
}
export interface LiveAnswer {
  isSuccess: true;
  message: '';
  data: Live;
}
export interface Me {
  /**
   * All of it in a sentence
   */
  summary: string;
  /**
   * IP address that the request comes from, as the service sees it
   */
  address: string;
  /**
   * Where the address comes from: the header of a trusted proxy, or the connection alone
   */
  addressBy: 'X-Forwarded-For' | 'connection';
  /**
   * IP address of the other end of the connection: of the proxy, if there is one
   */
  connection: string;
  /**
   * Whether that is a trusted proxy, whose headers are believed; see TRUST_PROXY
   */
  isTrustedProxy: boolean;
  /**
   * Headers of the request with an address or a country that are not believed
   */
  ignoredHeaders: string[];
  /**
   * Code of the country, ISO 3166-1; null: not known
   */
  country: string | null;
  /**
   * Where the country comes from: the header of a trusted proxy, the database that is configured, or the one that comes with the service
   */
  countryBy: 'GEO_HEADER' | 'GEO_MMDB' | 'service' | 'nothing';
  /**
   * To be shown beside countries of the database that comes with the service
   */
  attribution: string | null;
}
export interface MeasureDescription {
  name:
    | 'plays'
    | 'playMs'
    | 'views'
    | 'viewers'
    | 'averagePlayMs'
    | 'mediaMs'
    | 'positionedViews'
    | 'seenMs'
    | 'averageSeen'
    | 'completions'
    | 'reached25'
    | 'reached50'
    | 'reached75'
    | 'reached100'
    | 'attempts'
    | 'starts'
    | 'exitsBeforeStart'
    | 'exitShare'
    | 'startFailures'
    | 'startFailureShare'
    | 'failures'
    | 'failureShare'
    | 'startupMs'
    | 'startupP50'
    | 'startupP75'
    | 'startupP95'
    | 'startupP99'
    | 'stalls'
    | 'stallsPerHour'
    | 'stalledViews'
    | 'stalledShare'
    | 'stallMs'
    | 'stalledTimeShare'
    | 'seekMs'
    | 'bitrate'
    | 'droppedShare';
  /**
   * Empty for numbers of things
   */
  unit: string;
  definition: string;
  /**
   * Whether the total is always the sum of the rows
   */
  additive: boolean;
  /**
   * Since when it is collected for this account; what was collected before is `Unknown`, or in no measure that needs it
   */
  since: string;
}
export interface Member {
  /**
   * Id of the person
   */
  personId: number;
  /**
   * Mail address; null: a provider gave none
   */
  email: string | null;
  /**
   * Name
   */
  name: string;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds: number[] | null;
  /**
   * Whether a code is asked for as well
   */
  hasSecondFactor: boolean;
  /**
   * Whether a claim of the provider made it: OIDC_ROLES
   */
  isByClaim: boolean;
  /**
   * When they were last here, to the minute; null: never
   */
  lastSeenAt: string | null;
}
export interface MemberFields {
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds?: number[] | null;
}
export interface MemberList {
  list: Member[];
  paging: Paging;
}
export interface NativeVideoDetail {
  VideoDetail: {
    /**
     * URL of the video on the content host
     */
    videoUrl: string;
    videoInfo: {
      /**
       * Id of the video
       */
      id: number;
      opt: 'NONE';
    };
    PlayerType: {
      /**
       * Id of the account
       */
      gid: number;
    };
    /**
     * Always empty
     *
     * @maxItems 0
     */
    CuePointList: unknown[];
    errorInfo: ErrorInfo;
  };
}
export interface NewAccountFields {
  /**
   * Name of the account
   */
  name: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone: string;
}
export interface NewAlert {
  /**
   * Id of the alert
   */
  alertId: number;
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * `threshold`: a measure of an hour or a day beyond a limit; `drop`: lower than on the same weekday before; `silence`: no playback for some minutes
   */
  kind: 'threshold' | 'drop' | 'silence';
  /**
   * What is measured, as in `query`; null: `silence`
   */
  measure:
    | (
        | 'plays'
        | 'playMs'
        | 'views'
        | 'viewers'
        | 'averagePlayMs'
        | 'mediaMs'
        | 'positionedViews'
        | 'seenMs'
        | 'averageSeen'
        | 'completions'
        | 'reached25'
        | 'reached50'
        | 'reached75'
        | 'reached100'
        | 'attempts'
        | 'starts'
        | 'exitsBeforeStart'
        | 'exitShare'
        | 'startFailures'
        | 'startFailureShare'
        | 'failures'
        | 'failureShare'
        | 'startupMs'
        | 'startupP50'
        | 'startupP75'
        | 'startupP95'
        | 'startupP99'
        | 'stalls'
        | 'stallsPerHour'
        | 'stalledViews'
        | 'stalledShare'
        | 'stallMs'
        | 'stalledTimeShare'
        | 'seekMs'
        | 'bitrate'
        | 'droppedShare'
      )
    | null;
  /**
   * Hours or days by the clock of the account, by default `day`; null: `silence`
   */
  per: ('hour' | 'day') | null;
  /**
   * `threshold`: the measure is larger than this
   */
  above: number | null;
  /**
   * `threshold`: the measure is smaller than this
   */
  below: number | null;
  /**
   * `drop`: lower than expected by this many percent or more
   */
  percent: number | null;
  /**
   * `drop`: expected is the average of the same weekday, or of the same hour on it, in so many weeks before; default: 4
   */
  weeks: number | null;
  /**
   * `drop`: no alert where less than this was expected; default: 0
   */
  atLeast: number | null;
  /**
   * `silence`: nothing played for this many minutes
   */
  minutes: number | null;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo: string[];
  /**
   * Whether its condition held when it was judged last
   */
  isFiring: boolean;
  /**
   * The end of the time that was judged last, or when it was created
   */
  judgedThrough: string;
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused: boolean;
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key or the system user
   */
  createdByName: string;
  /**
   * Secret that messages to `url` are signed with, shown only in this answer; null: no new one
   */
  secret: string | null;
}
export interface NewEmail {
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
}
export interface NewInvitation {
  /**
   * Id of the invitation
   */
  invitationId: number;
  /**
   * Mail address; upper and lower case are alike
   */
  email: string;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds: number[] | null;
  /**
   * When it was made
   */
  createdAt: string;
  /**
   * When its link stops working
   */
  expiresAt: string;
  /**
   * Who invites, as in the audit
   */
  createdBy: string;
  /**
   * Their name then
   */
  createdByName: string;
  /**
   * The link, after the URL of the service; shown only in this answer
   */
  path: string;
  /**
   * Whether it is sent by mail as well
   */
  isMailed: boolean;
}
export interface NewKey {
  /**
   * Id of the key
   */
  keyId: number;
  /**
   * First characters of the key, to recognize it by
   */
  prefix: string;
  /**
   * Name to recognize the key by, such as the program that uses it; may be empty
   */
  name: string;
  /**
   * What the key may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /**
   * When the key was created
   */
  createdAt: string;
  /**
   * When the key expires; null: never
   */
  expiresAt: string | null;
  /**
   * When the key was revoked; null: it is not revoked
   */
  revokedAt: string | null;
  /**
   * When the key was last used, to the minute; null: never
   */
  lastUsedAt: string | null;
  /**
   * Who made it, as in the audit; null: made before this was kept
   */
  createdBy: string | null;
  /**
   * Their name then
   */
  createdByName: string | null;
  /**
   * The API key: secret, and shown only in this answer
   */
  key: string;
}
export interface NewReport {
  /**
   * Id of the report
   */
  reportId: number;
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * A report of each week, or of each month, once it is over
   */
  every: 'week' | 'month';
  /**
   * Day on which weeks begin, 1 (Monday) to 7 (Sunday); default: 1
   */
  weekday: number;
  /**
   * Hour of the next week's or month's first day from which it is sent, by the clock of the account; default: 6
   */
  hour: number;
  /**
   * One to ten measures, separated by commas, as in `query`
   */
  measures: string;
  /**
   * What the rows are of, as in `query`, but no time; null: no rows, only totals
   */
  dimension: string | null;
  /**
   * Rows at most, the largest by the first measure; default: 10
   */
  top: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo: string[];
  /**
   * The end of the time that was reported last, or when it was created
   */
  reportedThrough: string;
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused: boolean;
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key or the system user
   */
  createdByName: string;
  /**
   * Secret that messages to `url` are signed with, shown only in this answer; null: no new one
   */
  secret: string | null;
}
export interface NewSecondFactor {
  /**
   * For apps that take it by hand, in Base32
   */
  secret: string;
  /**
   * For apps that take it from a QR code
   */
  uri: string;
}
export interface NewShare {
  /**
   * Id of the share
   */
  shareId: number;
  /**
   * Its name, which the page shows as its title
   */
  name: string;
  /**
   * The video it shows; null: the overview
   */
  accessKey: string | null;
  /**
   * Only playback in this package; null: all
   */
  packageId: number | null;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * First day; null: the last days
   */
  sdate: string | null;
  /**
   * Last day; null: the last days
   */
  edate: string | null;
  /**
   * How many days, of which today is the last; null: fixed days
   */
  lastDays: number | null;
  /**
   * Which earlier days may be seen beside its own
   */
  compare: 'none' | 'previous' | 'weekdays' | 'year';
  /**
   * IANA time zone for its days and hours
   */
  timeZone: string;
  /**
   * Sites whose pages may embed it, by their origins; empty: none
   *
   * @maxItems 20
   */
  origins: string[];
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * When its link stops showing anything; null: never
   */
  expiresAt: string | null;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key, the person or the system user
   */
  createdByName: string;
  /**
   * To which all is pinned: the packages of the narrowed member who made it
   *
   * Items: Only playback in this package
   */
  packageIds?: number[];
  /**
   * Its link, after the URL of the service: whoever has it sees the share. Shown only in this answer
   */
  path: string;
}
export interface NewSigningKey {
  /**
   * Id of the signing key; a token may name it in the header `kid`
   */
  signingKeyId: number;
  /**
   * HS256: a secret made by this service. EdDSA: your own Ed25519 key
   */
  algorithm: 'HS256' | 'EdDSA';
  /**
   * The public key in PEM; null for a secret
   */
  publicKey: string | null;
  /**
   * false: the secret was stored under another APP_SECRET, so its tokens are refused. Set the former APP_SECRET again, or rotate the key and give your server the new secret
   */
  isReadable: boolean;
  /**
   * When it was added
   */
  createdAt: string;
  /**
   * When a replaced secret stops working; null: not replaced
   */
  expiresAt: string | null;
  /**
   * The secret: shown only in this answer; null for a public key
   */
  secret: string | null;
}
export interface NewVideoFields {
  /**
   * Id of the folder
   */
  folderId: number;
  /**
   * Title
   */
  title: string;
  /**
   * Original key, never used before in the account; default: a random one
   */
  accessKey?: string;
  /**
   * When the video was created, ISO 8601 with an offset; default: now
   */
  cdate?: string;
  /**
   * Your own identifier
   */
  cid?: string | null;
  /**
   * Description of the video
   */
  content?: string | null;
  /**
   * Tags
   */
  tag?: string;
  /**
   * Length of the video in milliseconds
   */
  duration?: number;
  /**
   * Size of the original file in bytes
   */
  fileSize?: number;
  /**
   * Height of the picture in pixels
   */
  vHeight?: number;
  /**
   * Width of the picture in pixels
   */
  vWidth?: number;
  /**
   * Frames per second
   */
  vFramerate?: number;
  /**
   * Series the video belongs to
   */
  series?: string | null;
  /**
   * Author of the original
   */
  author?: string | null;
  /**
   * Copyright notice
   */
  copyright?: string | null;
  /**
   * Content rating
   */
  rate?: string | null;
  /**
   * Other notes
   */
  etc?: string | null;
  /**
   * Whether encoding succeeded
   */
  encodingSuccess?: ('Y' | 'N') | null;
}
export interface OpenInvitation {
  /**
   * To which it invites; null: it makes the first person
   */
  accountName: string | null;
  /**
   * Name of the person who invites; null: a key or the command line does
   */
  inviterName: string | null;
  /**
   * Mail address; null: a provider gave none
   */
  email: string | null;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Whether they see certain packages alone
   */
  isNarrowed: boolean;
  /**
   * Whether somebody has the address, who signs in first
   */
  hasPerson: boolean;
}
export interface OwnPerson {
  /**
   * Id of the person
   */
  personId: number;
  /**
   * Mail address; null: a provider gave none
   */
  email: string | null;
  /**
   * Name
   */
  name: string;
  /**
   * Language of mails
   */
  language: 'en' | 'ko';
  /**
   * Whether they look after the service
   */
  isOperator: boolean;
  /**
   * Whether they may sign in with a password
   */
  hasPassword: boolean;
  /**
   * Whether a code is asked for as well
   */
  hasSecondFactor: boolean;
  /**
   * How many are left
   */
  recoveryCodes: number;
}
export interface Package {
  /**
   * Id of the package
   */
  packageId: number;
  /**
   * Name of the package
   */
  packageName: string;
  /**
   * Kind of package, in your own words
   */
  packageType: string;
  /**
   * Sites whose playback is counted; empty: all
   */
  allowedOrigins: string[];
  /**
   * What happens to playback without a valid token: `open` counts it, `prefer` sets it apart, `require` refuses it
   */
  signing: 'open' | 'prefer' | 'require';
}
export interface PackageChanges {
  /**
   * Name of the package
   */
  packageName?: string;
  /**
   * Kind of package, in your own words; default: VOD
   */
  packageType?: string;
  /**
   * Sites whose playback is counted; empty: all
   *
   * @maxItems 100
   *
   * Items: Origin of a site, such as https://example.com
   */
  allowedOrigins?: string[];
  /**
   * What happens to playback without a valid token: `open` counts it, `prefer` sets it apart, `require` refuses it
   */
  signing?: 'open' | 'prefer' | 'require';
}
export interface PackageFields {
  /**
   * Name of the package
   */
  packageName: string;
  /**
   * Kind of package, in your own words; default: VOD
   */
  packageType?: string;
  /**
   * Sites whose playback is counted; empty: all
   *
   * @maxItems 100
   *
   * Items: Origin of a site, such as https://example.com
   */
  allowedOrigins?: string[];
  /**
   * What happens to playback without a valid token: `open` counts it, `prefer` sets it apart, `require` refuses it
   */
  signing?: 'open' | 'prefer' | 'require';
}
export interface PackageList {
  list: Package[];
  paging: Paging;
}
export interface PackageVideosAnswer {
  videoInfoList: {
    apiVideoSearchOption: {
      keyword: string;
      /**
       * Field to search
       */
      searchItem: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
      /**
       * Sort by this field; ties by id
       */
      sortItem: 'id' | 'title' | 'duration' | 'filesize';
      /**
       * 1: descending; 0: ascending
       */
      sortDirection: 0 | 1;
    };
    paging: Paging;
    videoInfoList: VideoInfo[];
  };
}
export interface VideoInfo {
  /**
   * Id of the video
   */
  videoId: number;
  /**
   * Original key of the video
   */
  accessKey: string;
  /**
   * Public key of the video in this package
   */
  videoKey: string;
  /**
   * Your own identifier
   */
  cid: string | null;
  /**
   * Description of the video
   */
  content: string | null;
  /**
   * Tags
   */
  tag: string;
  /**
   * Length in milliseconds
   */
  duration: number;
  /**
   * When the video was created: ISO 8601, UTC, with milliseconds
   */
  cdate: string;
  /**
   * Size of the original file in bytes
   */
  fileSize: number;
  /**
   * URL of the representative thumbnail; empty if there is none
   */
  thumbnailUrl: string;
  /**
   * Height in pixels
   */
  vHeight: number;
  /**
   * Width in pixels
   */
  vWidth: number;
  /**
   * Frames per second
   */
  vFramerate: number;
  /**
   * Title
   */
  title: string;
  /**
   * Series
   */
  series: string | null;
  /**
   * Author of the original
   */
  author: string | null;
  /**
   * Copyright notice
   */
  copyright: string | null;
  /**
   * Content rating
   */
  rate: string | null;
  /**
   * Other notes
   */
  etc: string | null;
  /**
   * Y: served; N: paused
   */
  serviceAble: 'Y' | 'N';
  /**
   * Whether encoding succeeded; N if unknown
   */
  encoding_success: 'Y' | 'N';
}
export interface PackagesAnswer {
  packageList: {
    /**
     * Id of the package
     */
    packageId: number;
    packageName: string;
    packageType: string;
  }[];
}
export interface PasswordChange {
  /**
   * At least 10 characters, and none of the first that are guessed
   */
  password: string;
  /**
   * The one until now, if there is one
   */
  formerPassword?: string;
  /**
   * Of the authenticator app, or a recovery code
   */
  code?: string;
}
export interface Person {
  /**
   * Id of the person
   */
  personId: number;
  /**
   * Mail address; null: a provider gave none
   */
  email: string | null;
  /**
   * Name
   */
  name: string;
  /**
   * Language of mails
   */
  language: 'en' | 'ko';
  /**
   * Whether they look after the service
   */
  isOperator: boolean;
  /**
   * Whether they may sign in with a password
   */
  hasPassword: boolean;
  /**
   * Whether a code is asked for as well
   */
  hasSecondFactor: boolean;
}
export interface PersonAccount {
  /**
   * Id of the account
   */
  accountId: number;
  /**
   * Name of the account
   */
  name: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone: string;
  /**
   * `owner`: everything. `manager`: the library, settings, shares and alerts, but neither members nor keys. `analyst`: reads, and has shares, reports and alerts of their own.
   */
  role: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds: number[] | null;
}
export interface PersonAccountList {
  list: PersonAccount[];
  paging: Paging;
}
export interface PersonChanges {
  /**
   * Name
   */
  name?: string;
  /**
   * Language of mails
   */
  language?: 'en' | 'ko';
}
export interface PersonList {
  list: Person[];
  paging: Paging;
}
export interface PlayerLogAnswer {
  errorInfo: ErrorInfo;
}
export interface PlayerLogEvent {
  /**
   * What happened: pl loaded, sr ready, vs play started, vi still playing, vp paused, vk seeking, vt stopped; others are not counted
   */
  e: string;
  /**
   * Id of the account
   */
  gid: number | string;
  /**
   * Id of the package
   */
  pid: number | string;
  /**
   * Id of the video
   */
  vid: number | string;
  /**
   * Player; ignored
   */
  plid?: {
    [k: string]: unknown;
  };
  /**
   * Viewer, as the service sent it, or a token by the site's server
   */
  uid: string | number;
  /**
   * Start of the session in UTC, yyyyMMddhhmmss, as the service sent it
   */
  cs: string | number;
  /**
   * Length of the video; ignored
   */
  dtt?: {
    [k: string]: unknown;
  };
  /**
   * Start of the range just played, as a position in the video in seconds; a `vt` without it continues the last range
   */
  dst?: number | string | null;
  /**
   * End of that range; in `vk` events some players send the target of the seek
   */
  det?: number | string | null;
}
export interface Problem {
  /**
   * Always `about:blank`: `code` identifies the error
   */
  type: string;
  /**
   * The error in words, the same for all errors with this code
   */
  title: string;
  /**
   * The HTTP status
   */
  status: number;
  /**
   * What is wrong in this case, for people
   */
  detail: string;
  /**
   * Identifies the error; switch on this
   */
  code:
    | 'MISSING_PARAMETER'
    | 'INVALID_PARAMETER'
    | 'TOO_MANY_ROWS'
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
    | 'UNAVAILABLE'
    | 'VERSION_NOT_SUPPORTED';
  isSuccess: false;
  /**
   * The same as `detail`
   */
  message: string;
  /**
   * Every invalid parameter or member, all at once
   */
  errors?: {
    /**
     * Its name in the request
     */
    parameter: string;
    /**
     * What is wrong with it
     */
    detail: string;
  }[];
}
export interface ProviderStart {
  /**
   * What stands behind the `=` in the fragment of the link
   */
  invitation?: string;
}
export interface ProviderUrl {
  /**
   * At the provider
   */
  url: string;
}
export interface Publication {
  /**
   * Id of the package
   */
  packageId: number;
  /**
   * Id of the video
   */
  videoId: number;
  /**
   * Original key of the video, unique in the account; not a secret
   */
  accessKey: string;
  /**
   * Public key of the video in this package, under which players report
   */
  videoKey: string;
  serviceAble: 'Y' | 'N';
  /**
   * When it was first put into the package
   */
  publishedAt: string;
}
export interface PublicationFields {
  serviceAble?: 'Y' | 'N';
}
export interface PublicationList {
  list: Publication[];
  paging: Paging;
}
export interface QueryAnswer {
  isSuccess: true;
  message: '';
  data: {
    list: QueryRow[];
    totals: QueryTotals;
    viewerBasis?: ViewerBasis;
    qualityBasis?: QualityBasis;
    /**
     * Rows of all pages
     */
    rowCount: number;
    /**
     * Identifies the snapshot, to request its further pages
     */
    requestId: string;
    pageSize: number;
    /**
     * Token for the next page, percent-encoded; empty on the last page
     */
    nextToken: string;
  };
}
/**
 * The dimensions and the measures asked for, labels under `label.NAME`; with `seenMs` and those after it also `positionedViews`, the views on which they rest
 */
export interface QueryRow {
  /**
   * Start of the hour by the clock of the zone, RFC 3339 with its offset
   */
  hour?: string;
  /**
   * Day, yyyy-mm-dd
   */
  date?: string;
  /**
   * Week, by its Monday, yyyy-mm-dd
   */
  week?: string;
  /**
   * Month, by its first day, yyyy-mm-dd
   */
  month?: string;
  /**
   * Year, by its first day, yyyy-mm-dd
   */
  year?: string;
  /**
   * Hour of the day, "00" to "23"
   */
  hourOfDay?:
    | '00'
    | '01'
    | '02'
    | '03'
    | '04'
    | '05'
    | '06'
    | '07'
    | '08'
    | '09'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
    | '15'
    | '16'
    | '17'
    | '18'
    | '19'
    | '20'
    | '21'
    | '22'
    | '23';
  /**
   * Day of the week, "1" (Monday) to "7" (Sunday)
   */
  weekday?: '1' | '2' | '3' | '4' | '5' | '6' | '7';
  /**
   * Hour of the week by its weekday and hour, "1-00" (Monday) to "7-23"
   */
  hourOfWeek?: string;
  /**
   * Original key of the video; rows show its title as well
   */
  video?: string;
  /**
   * Name of the video; empty if it has none
   */
  videoTitle?: string;
  /**
   * Number of the package; rows show its name as well
   */
  package?: number;
  /**
   * Name of the package; empty if it has none
   */
  packageName?: string;
  /**
   * Number of the folder that the video is in now; rows show its name as well
   */
  folder?: number;
  /**
   * Name of the folder; empty if it has none
   */
  folderName?: string;
  /**
   * Operating system
   */
  os?: string;
  /**
   * Version of the operating system; asked for together with `os`
   */
  osVersion?: string;
  /**
   * Kind of device
   */
  device?: 'desktop' | 'mobile' | 'tablet' | 'tv' | 'console' | 'other' | 'Unknown';
  /**
   * Browser
   */
  browser?: string;
  /**
   * Version of the browser; asked for together with `browser`
   */
  browserVersion?: string;
  /**
   * Country, ISO 3166-1 alpha-2
   */
  country?: string;
  /**
   * What the viewer rests on: `named` by the page, `daily` (anonymous, of one day), or `none`
   */
  viewerKind?: 'named' | 'daily' | 'none';
  /**
   * Host of the page with the player
   */
  host?: string;
  /**
   * Host and path of the page with the player
   */
  page?: string;
  /**
   * Host that led to the page
   */
  referrer?: string;
  /**
   * Player and its version
   */
  player?: string;
  /**
   * Whether the media has an end (`vod`) or grows while it plays (`live`)
   */
  streamType?: 'vod' | 'live' | 'Unknown';
  /**
   * The slowest connection of the view, as the browser rates it
   */
  connection?: 'slow-2g' | '2g' | '3g' | '4g' | 'Unknown';
  /**
   * Host that the media came from, of each wait and stretch: a view may be in several rows
   */
  mediaHost?: string;
  /**
   * Code of the error that ended a wait, or broke playback off; of `failures`, `startFailures` and numbers of waits alone
   */
  error?: string;
  /**
   * Plays: views whose playback started, each counted once, at the time it started; as `videoCount`
   */
  plays?: number;
  /**
   * Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded
   */
  playMs?: number;
  /**
   * Distinct views with any playback in the range
   */
  views?: number;
  /**
   * Distinct viewers of these views, over the whole range; a view without a viewer is one of its own
   */
  viewers?: number;
  /**
   * `playMs` / `plays`, rounded half up; null without plays
   */
  averagePlayMs?: number | null;
  /**
   * How far the media advanced: at double speed twice the playback time. Playback reported by CMCD is in it only where its player told a bitrate
   */
  mediaMs?: number;
  /**
   * Views that reported a position, of videos with a length: those that the following measures are made of, and in every row beside one of these, asked for or not. Playback reported by CMCD is not in it, as its players send no position
   */
  positionedViews?: number;
  /**
   * What each view saw of the media, every moment of the video once, summed over the views. Playback reported by CMCD is not in it, as its players send no position
   */
  seenMs?: number;
  /**
   * `seenMs` / the length of the video, summed over the views that reported a position; four decimals, rounded half up; null where no view did. Playback reported by CMCD is not in it, as its players send no position
   */
  averageSeen?: number | null;
  /**
   * Views that saw at least 95 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  completions?: number;
  /**
   * Views whose furthest position reached 25 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached25?: number;
  /**
   * Views whose furthest position reached 50 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached50?: number;
  /**
   * Views whose furthest position reached 75 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached75?: number;
  /**
   * Views whose furthest position came within one second of the end of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached100?: number;
  /**
   * Attempts to start playback: the first wait of each view began in the range, however it ended, also if it goes on. Only views that report waits are in it
   */
  attempts?: number;
  /**
   * Attempts that led to a first frame. Only views that report waits are in it
   */
  starts?: number;
  /**
   * Attempts that the viewer gave up before the first frame; a wait of which nothing was heard for 24 hours counts as given up. Only views that report waits are in it
   */
  exitsBeforeStart?: number;
  /**
   * `exitsBeforeStart` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  exitShare?: number | null;
  /**
   * Attempts that a fatal error ended before the first frame. Only views that report waits are in it
   */
  startFailures?: number;
  /**
   * `startFailures` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  startFailureShare?: number | null;
  /**
   * Distinct views that a fatal error ended, before the first frame or later. Only views that report waits are in it
   */
  failures?: number;
  /**
   * `failures` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  failureShare?: number | null;
  /**
   * Mean time from the request to play to the first frame, of `starts`; rounded half up; null without starts. Only views that report waits are in it
   */
  startupMs?: number | null;
  /**
   * Percentile 50 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP50?: number | null;
  /**
   * Percentile 75 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP75?: number | null;
  /**
   * Percentile 95 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP95?: number | null;
  /**
   * Percentile 99 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP99?: number | null;
  /**
   * Times that playback stopped because the media ran dry, seeks left out. Only views that report waits are in it
   */
  stalls?: number;
  /**
   * `stalls` per hour of playback time; four decimals, rounded half up; null without playback time. Only views that report waits are in it
   */
  stallsPerHour?: number | null;
  /**
   * Distinct views with a stall in the range. Only views that report waits are in it
   */
  stalledViews?: number;
  /**
   * `stalledViews` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  stalledShare?: number | null;
  /**
   * How long all stalls lasted. Only views that report waits are in it
   */
  stallMs?: number;
  /**
   * `stallMs` / the playback time and all waits to start, for a seek or in a stall; four decimals, rounded half up; null where there is neither. Only views that report waits are in it
   */
  stalledTimeShare?: number | null;
  /**
   * Mean wait after a seek; rounded half up; null without seeks. Only views that report waits are in it
   */
  seekMs?: number | null;
  /**
   * Bits of the media that was played / how far the media advanced, of stretches that reported bits; rounded half up; null where none did. Only views that report waits are in it
   */
  bitrate?: number | null;
  /**
   * Frames dropped / all frames; four decimals, rounded half up; null where no frames were reported. Only views that report waits are in it
   */
  droppedShare?: number | null;
  /**
   * With `compare`: the measures of the range compared with; null: nothing there
   */
  previous?: QueryMeasures | null;
  /**
   * This interface was referenced by `QueryRow`'s JSON-Schema definition
   * via the `patternProperty` "^label\.".
   */
  [k: string]:
    | string
    | '00'
    | '01'
    | '02'
    | '03'
    | '04'
    | '05'
    | '06'
    | '07'
    | '08'
    | '09'
    | '10'
    | '11'
    | '12'
    | '13'
    | '14'
    | '15'
    | '16'
    | '17'
    | '18'
    | '19'
    | '20'
    | '21'
    | '22'
    | '23'
    | '1'
    | '2'
    | '3'
    | '4'
    | '5'
    | '6'
    | '7'
    | number
    | 'desktop'
    | 'mobile'
    | 'tablet'
    | 'tv'
    | 'console'
    | 'other'
    | 'Unknown'
    | 'named'
    | 'daily'
    | 'none'
    | 'vod'
    | 'live'
    | 'slow-2g'
    | '2g'
    | '3g'
    | '4g'
    | null
    | QueryMeasures
    | undefined;
}
/**
 * The measures asked for
 */
export interface QueryMeasures {
  /**
   * Plays: views whose playback started, each counted once, at the time it started; as `videoCount`
   */
  plays?: number;
  /**
   * Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded
   */
  playMs?: number;
  /**
   * Distinct views with any playback in the range
   */
  views?: number;
  /**
   * Distinct viewers of these views, over the whole range; a view without a viewer is one of its own
   */
  viewers?: number;
  /**
   * `playMs` / `plays`, rounded half up; null without plays
   */
  averagePlayMs?: number | null;
  /**
   * How far the media advanced: at double speed twice the playback time. Playback reported by CMCD is in it only where its player told a bitrate
   */
  mediaMs?: number;
  /**
   * Views that reported a position, of videos with a length: those that the following measures are made of, and in every row beside one of these, asked for or not. Playback reported by CMCD is not in it, as its players send no position
   */
  positionedViews?: number;
  /**
   * What each view saw of the media, every moment of the video once, summed over the views. Playback reported by CMCD is not in it, as its players send no position
   */
  seenMs?: number;
  /**
   * `seenMs` / the length of the video, summed over the views that reported a position; four decimals, rounded half up; null where no view did. Playback reported by CMCD is not in it, as its players send no position
   */
  averageSeen?: number | null;
  /**
   * Views that saw at least 95 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  completions?: number;
  /**
   * Views whose furthest position reached 25 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached25?: number;
  /**
   * Views whose furthest position reached 50 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached50?: number;
  /**
   * Views whose furthest position reached 75 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached75?: number;
  /**
   * Views whose furthest position came within one second of the end of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached100?: number;
  /**
   * Attempts to start playback: the first wait of each view began in the range, however it ended, also if it goes on. Only views that report waits are in it
   */
  attempts?: number;
  /**
   * Attempts that led to a first frame. Only views that report waits are in it
   */
  starts?: number;
  /**
   * Attempts that the viewer gave up before the first frame; a wait of which nothing was heard for 24 hours counts as given up. Only views that report waits are in it
   */
  exitsBeforeStart?: number;
  /**
   * `exitsBeforeStart` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  exitShare?: number | null;
  /**
   * Attempts that a fatal error ended before the first frame. Only views that report waits are in it
   */
  startFailures?: number;
  /**
   * `startFailures` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  startFailureShare?: number | null;
  /**
   * Distinct views that a fatal error ended, before the first frame or later. Only views that report waits are in it
   */
  failures?: number;
  /**
   * `failures` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  failureShare?: number | null;
  /**
   * Mean time from the request to play to the first frame, of `starts`; rounded half up; null without starts. Only views that report waits are in it
   */
  startupMs?: number | null;
  /**
   * Percentile 50 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP50?: number | null;
  /**
   * Percentile 75 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP75?: number | null;
  /**
   * Percentile 95 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP95?: number | null;
  /**
   * Percentile 99 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP99?: number | null;
  /**
   * Times that playback stopped because the media ran dry, seeks left out. Only views that report waits are in it
   */
  stalls?: number;
  /**
   * `stalls` per hour of playback time; four decimals, rounded half up; null without playback time. Only views that report waits are in it
   */
  stallsPerHour?: number | null;
  /**
   * Distinct views with a stall in the range. Only views that report waits are in it
   */
  stalledViews?: number;
  /**
   * `stalledViews` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  stalledShare?: number | null;
  /**
   * How long all stalls lasted. Only views that report waits are in it
   */
  stallMs?: number;
  /**
   * `stallMs` / the playback time and all waits to start, for a seek or in a stall; four decimals, rounded half up; null where there is neither. Only views that report waits are in it
   */
  stalledTimeShare?: number | null;
  /**
   * Mean wait after a seek; rounded half up; null without seeks. Only views that report waits are in it
   */
  seekMs?: number | null;
  /**
   * Bits of the media that was played / how far the media advanced, of stretches that reported bits; rounded half up; null where none did. Only views that report waits are in it
   */
  bitrate?: number | null;
  /**
   * Frames dropped / all frames; four decimals, rounded half up; null where no frames were reported. Only views that report waits are in it
   */
  droppedShare?: number | null;
}
/**
 * Of everything that the filters let through, also of what is on other pages
 */
export interface QueryTotals {
  /**
   * Plays: views whose playback started, each counted once, at the time it started; as `videoCount`
   */
  plays?: number;
  /**
   * Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded
   */
  playMs?: number;
  /**
   * Distinct views with any playback in the range
   */
  views?: number;
  /**
   * Distinct viewers of these views, over the whole range; a view without a viewer is one of its own
   */
  viewers?: number;
  /**
   * `playMs` / `plays`, rounded half up; null without plays
   */
  averagePlayMs?: number | null;
  /**
   * How far the media advanced: at double speed twice the playback time. Playback reported by CMCD is in it only where its player told a bitrate
   */
  mediaMs?: number;
  /**
   * Views that reported a position, of videos with a length: those that the following measures are made of, and in every row beside one of these, asked for or not. Playback reported by CMCD is not in it, as its players send no position
   */
  positionedViews?: number;
  /**
   * What each view saw of the media, every moment of the video once, summed over the views. Playback reported by CMCD is not in it, as its players send no position
   */
  seenMs?: number;
  /**
   * `seenMs` / the length of the video, summed over the views that reported a position; four decimals, rounded half up; null where no view did. Playback reported by CMCD is not in it, as its players send no position
   */
  averageSeen?: number | null;
  /**
   * Views that saw at least 95 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  completions?: number;
  /**
   * Views whose furthest position reached 25 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached25?: number;
  /**
   * Views whose furthest position reached 50 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached50?: number;
  /**
   * Views whose furthest position reached 75 % of the length of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached75?: number;
  /**
   * Views whose furthest position came within one second of the end of the video. Playback reported by CMCD is not in it, as its players send no position
   */
  reached100?: number;
  /**
   * Attempts to start playback: the first wait of each view began in the range, however it ended, also if it goes on. Only views that report waits are in it
   */
  attempts?: number;
  /**
   * Attempts that led to a first frame. Only views that report waits are in it
   */
  starts?: number;
  /**
   * Attempts that the viewer gave up before the first frame; a wait of which nothing was heard for 24 hours counts as given up. Only views that report waits are in it
   */
  exitsBeforeStart?: number;
  /**
   * `exitsBeforeStart` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  exitShare?: number | null;
  /**
   * Attempts that a fatal error ended before the first frame. Only views that report waits are in it
   */
  startFailures?: number;
  /**
   * `startFailures` / `attempts`; four decimals, rounded half up; null without attempts. Only views that report waits are in it
   */
  startFailureShare?: number | null;
  /**
   * Distinct views that a fatal error ended, before the first frame or later. Only views that report waits are in it
   */
  failures?: number;
  /**
   * `failures` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  failureShare?: number | null;
  /**
   * Mean time from the request to play to the first frame, of `starts`; rounded half up; null without starts. Only views that report waits are in it
   */
  startupMs?: number | null;
  /**
   * Percentile 50 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP50?: number | null;
  /**
   * Percentile 75 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP75?: number | null;
  /**
   * Percentile 95 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP95?: number | null;
  /**
   * Percentile 99 of the time from the request to play to the first frame, of `starts`: exact, by nearest rank; null without starts. Only views that report waits are in it
   */
  startupP99?: number | null;
  /**
   * Times that playback stopped because the media ran dry, seeks left out. Only views that report waits are in it
   */
  stalls?: number;
  /**
   * `stalls` per hour of playback time; four decimals, rounded half up; null without playback time. Only views that report waits are in it
   */
  stallsPerHour?: number | null;
  /**
   * Distinct views with a stall in the range. Only views that report waits are in it
   */
  stalledViews?: number;
  /**
   * `stalledViews` / the views with a wait or playback in the range; four decimals, rounded half up; null without such views. Only views that report waits are in it
   */
  stalledShare?: number | null;
  /**
   * How long all stalls lasted. Only views that report waits are in it
   */
  stallMs?: number;
  /**
   * `stallMs` / the playback time and all waits to start, for a seek or in a stall; four decimals, rounded half up; null where there is neither. Only views that report waits are in it
   */
  stalledTimeShare?: number | null;
  /**
   * Mean wait after a seek; rounded half up; null without seeks. Only views that report waits are in it
   */
  seekMs?: number | null;
  /**
   * Bits of the media that was played / how far the media advanced, of stretches that reported bits; rounded half up; null where none did. Only views that report waits are in it
   */
  bitrate?: number | null;
  /**
   * Frames dropped / all frames; four decimals, rounded half up; null where no frames were reported. Only views that report waits are in it
   */
  droppedShare?: number | null;
  /**
   * With `compare`: the measures of the range compared with; null: nothing there
   */
  previous?: QueryMeasures | null;
}
/**
 * What measures of viewers rest on: numbers of views
 */
export interface ViewerBasis {
  /**
   * Views whose viewer the page named
   */
  named: number;
  /**
   * Views with an anonymous viewer of one day
   */
  daily: number;
  /**
   * Views without a viewer: each is one of its own
   */
  none: number;
}
export interface QuerySchemaAnswer {
  isSuccess: true;
  message: '';
  data: {
    measures: MeasureDescription[];
    dimensions: DimensionDescription[];
  };
}
export interface Readiness {
  status: 'ok' | 'unavailable';
  /**
   * ok, or why the catalog does not answer; to strangers just unavailable
   */
  catalog: string;
  /**
   * ok, or why the statistics store does not answer; to strangers just unavailable
   */
  statistics: string;
  /**
   * ok, or why beacons are refused; to strangers just unavailable
   */
  collecting: string;
}
export interface RecoveryCodes {
  /**
   * Each stands in for the app once; shown only in this answer
   */
  recoveryCodes: string[];
}
export interface RefusedRow {
  /**
   * Line where the row begins, from 1
   */
  line: number;
  /**
   * What is wrong with it
   */
  reason: string;
}
export interface Report {
  /**
   * Id of the report
   */
  reportId: number;
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * A report of each week, or of each month, once it is over
   */
  every: 'week' | 'month';
  /**
   * Day on which weeks begin, 1 (Monday) to 7 (Sunday); default: 1
   */
  weekday: number;
  /**
   * Hour of the next week's or month's first day from which it is sent, by the clock of the account; default: 6
   */
  hour: number;
  /**
   * One to ten measures, separated by commas, as in `query`
   */
  measures: string;
  /**
   * What the rows are of, as in `query`, but no time; null: no rows, only totals
   */
  dimension: string | null;
  /**
   * Rows at most, the largest by the first measure; default: 10
   */
  top: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo: string[];
  /**
   * The end of the time that was reported last, or when it was created
   */
  reportedThrough: string;
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused: boolean;
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key or the system user
   */
  createdByName: string;
}
export interface ReportChanges {
  /**
   * Its name, which its messages show
   */
  name?: string;
  /**
   * A report of each week, or of each month, once it is over
   */
  every?: 'week' | 'month';
  /**
   * Day on which weeks begin, 1 (Monday) to 7 (Sunday); default: 1
   */
  weekday?: number;
  /**
   * Hour of the next week's or month's first day from which it is sent, by the clock of the account; default: 6
   */
  hour?: number;
  /**
   * One to ten measures, separated by commas, as in `query`
   */
  measures?: string;
  /**
   * What the rows are of, as in `query`, but no time; null: no rows, only totals
   */
  dimension?: string | null;
  /**
   * Rows at most, the largest by the first measure; default: 10
   */
  top?: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters?: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url?: string | null;
  /**
   * Secret that messages to `url` are signed with; null: a new one
   */
  secret?: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo?: string[];
  /**
   * Whether it is paused: kept, but not judged
   */
  isPaused?: boolean;
}
export interface ReportFields {
  /**
   * Its name, which its messages show
   */
  name: string;
  /**
   * A report of each week, or of each month, once it is over
   */
  every: 'week' | 'month';
  /**
   * Day on which weeks begin, 1 (Monday) to 7 (Sunday); default: 1
   */
  weekday?: number;
  /**
   * Hour of the next week's or month's first day from which it is sent, by the clock of the account; default: 6
   */
  hour?: number;
  /**
   * One to ten measures, separated by commas, as in `query`
   */
  measures: string;
  /**
   * What the rows are of, as in `query`, but no time; null: no rows, only totals
   */
  dimension?: string | null;
  /**
   * Rows at most, the largest by the first measure; default: 10
   */
  top?: number;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters?: string | null;
  /**
   * URL that messages are posted to, signed as Standard Webhooks; null: none
   */
  url?: string | null;
  /**
   * Secret that messages to `url` are signed with; null: a new one
   */
  secret?: string | null;
  /**
   * Mail addresses; each receives a mail of its own. Empty: none
   *
   * @maxItems 10
   */
  mailTo?: string[];
}
export interface ReportList {
  list: Report[];
  paging: Paging;
}
export interface Reset {
  /**
   * What stands behind the `=` in the fragment of the link
   */
  link: string;
  /**
   * At least 10 characters, and none of the first that are guessed
   */
  password?: string;
  /**
   * Of the authenticator app, or a recovery code
   */
  code?: string;
}
export interface ResetLink {
  /**
   * The link, after the URL of the service; shown only in this answer
   */
  path: string;
}
export interface Retention {
  /**
   * Length of the video in the catalog, milliseconds
   */
  lengthMs: number;
  /**
   * Distinct views with any playback in the range
   */
  views: number;
  /**
   * Those of them that reported positions; the others are in no part
   */
  positionedViews: number;
  /**
   * Share of the video that these views saw on average, every moment once; four decimals, null where no view reported a position
   */
  averageSeen: number | null;
  list: RetentionPart[];
}
export interface RetentionPart {
  /**
   * Number of the part, from 0
   */
  part: number;
  /**
   * Where in the media the part begins
   */
  fromMs: number;
  /**
   * Where it ends
   */
  toMs: number;
  /**
   * Views that saw any of the part, at least 1 ms of it, once each
   */
  audience: number;
  /**
   * How often a view saw the part on average, counting what it saw again: media time played in the part / (its length × `positionedViews`); three decimals
   */
  watched: number;
}
export interface RetentionAnswer {
  isSuccess: true;
  message: '';
  data: Retention;
}
export interface RotationFields {
  /**
   * How many hours the old key keeps working
   */
  overlapHours?: number;
}
export interface SavedView {
  /**
   * Id of the saved view
   */
  viewId: number;
  /**
   * Name of the view
   */
  name: string;
  /**
   * Page of the dashboard: `/` (the overview), `/quality`, `/videos/KEY`, ...
   */
  page: string;
  /**
   * What stands behind the question mark of the page's URL: period, filters, measure, comparison
   */
  query: string;
  /**
   * Whether all members see it, except those who are narrowed to packages
   */
  shared: boolean;
  /**
   * When it was saved
   */
  createdAt: string;
  /**
   * Who saved it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key, the person or the system user
   */
  createdByName: string;
}
export interface SavedViewChanges {
  /**
   * Name of the view
   */
  name?: string;
  /**
   * Page of the dashboard: `/` (the overview), `/quality`, `/videos/KEY`, ...
   */
  page?: string;
  /**
   * What stands behind the question mark of the page's URL: period, filters, measure, comparison
   */
  query?: string;
  /**
   * Whether all members see it, except those who are narrowed to packages
   */
  shared?: boolean;
}
export interface SavedViewFields {
  /**
   * Name of the view
   */
  name: string;
  /**
   * Page of the dashboard: `/` (the overview), `/quality`, `/videos/KEY`, ...
   */
  page: string;
  /**
   * What stands behind the question mark of the page's URL: period, filters, measure, comparison
   */
  query?: string;
  /**
   * Whether all members see it, except those who are narrowed to packages. What a key or the command line saves is always shared
   */
  shared?: boolean;
}
export interface SavedViewList {
  list: SavedView[];
  paging: Paging;
}
export interface SecondFactorCode {
  /**
   * Of the authenticator app, or a recovery code
   */
  code: string;
}
export interface SecondFactorRemoval {
  /**
   * The password, if there is one
   */
  password?: string;
  /**
   * Of the authenticator app, or a recovery code
   */
  code: string;
}
export interface SecondFactorStart {
  /**
   * The password, if there is one
   */
  password?: string;
}
export interface SelectedThumbnail {
  /**
   * Number of the thumbnail that represents the video
   */
  seq: number;
}
export interface SentDeliveries {
  /**
   * One for each receiver
   */
  list: Delivery[];
}
export interface ServiceAccount {
  /**
   * Id of the account
   */
  accountId: number;
  /**
   * Name of the account
   */
  name: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone: string;
  /**
   * Since when it is closed; null: it is open
   */
  closedAt: string | null;
}
export interface ServiceAccountList {
  list: ServiceAccount[];
  paging: Paging;
}
export interface ServiceFindings {
  /**
   * When the service was examined
   */
  at: string;
  /**
   * In the order of `playmeter doctor`
   */
  findings: Finding[];
}
export interface ServiceHealth {
  /**
   * Of the node that answers
   */
  version: string;
  /**
   * Of that node
   */
  role: string;
  /**
   * ok, or why the catalog does not answer
   */
  catalog: string;
  /**
   * ok, or why the statistics store does not answer
   */
  statistics: string;
  /**
   * ok, or why beacons are refused
   */
  collecting: string;
}
export interface ServiceLimit {
  /**
   * The setting of the configuration
   */
  name:
    | 'RATE_LIMIT_PER_MINUTE'
    | 'ENGINE_SECONDS_PER_MINUTE'
    | 'COLLECT_LIMIT_PER_MINUTE'
    | 'PAGE_LIMIT_PER_MINUTE'
    | 'MANAGE_LIMIT_PER_MINUTE'
    | 'WRONG_KEY_LIMIT_PER_MINUTE'
    | 'MAX_CONNECTIONS'
    | 'MAX_CONNECTIONS_PER_ADDRESS';
  /**
   * What holds now, set or by default
   */
  value: number;
}
export interface ServiceLimits {
  settings: ServiceLimit[];
  /**
   * Since the node that answers was started
   */
  reached: LimitReached[];
}
export interface SessionList {
  list: SessionRecord[];
  paging: Paging;
}
export interface SessionRecord {
  /**
   * Id of the session
   */
  sessionId: number;
  /**
   * Whether it is the one that asks
   */
  isThis: boolean;
  /**
   * Browser and system
   */
  device: string;
  /**
   * IP address that it was begun from
   */
  address: string;
  /**
   * Country of the address; null: not known
   */
  country: string | null;
  /**
   * When it was begun
   */
  createdAt: string;
  /**
   * When it was last used, to the minute
   */
  usedAt: string;
  /**
   * When it ends at the latest
   */
  expiresAt: string;
}
export interface Share {
  /**
   * Id of the share
   */
  shareId: number;
  /**
   * Its name, which the page shows as its title
   */
  name: string;
  /**
   * The video it shows; null: the overview
   */
  accessKey: string | null;
  /**
   * Only playback in this package; null: all
   */
  packageId: number | null;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters: string | null;
  /**
   * First day; null: the last days
   */
  sdate: string | null;
  /**
   * Last day; null: the last days
   */
  edate: string | null;
  /**
   * How many days, of which today is the last; null: fixed days
   */
  lastDays: number | null;
  /**
   * Which earlier days may be seen beside its own
   */
  compare: 'none' | 'previous' | 'weekdays' | 'year';
  /**
   * IANA time zone for its days and hours
   */
  timeZone: string;
  /**
   * Sites whose pages may embed it, by their origins; empty: none
   *
   * @maxItems 20
   */
  origins: string[];
  /**
   * When it was created
   */
  createdAt: string;
  /**
   * When its link stops showing anything; null: never
   */
  expiresAt: string | null;
  /**
   * Who created it, as in the audit
   */
  createdBy: string;
  /**
   * The name of the key, the person or the system user
   */
  createdByName: string;
  /**
   * To which all is pinned: the packages of the narrowed member who made it
   *
   * Items: Only playback in this package
   */
  packageIds?: number[];
}
export interface ShareFields {
  /**
   * Its name, which the page shows as its title
   */
  name: string;
  /**
   * The video it shows; null: the overview
   */
  accessKey?: string | null;
  /**
   * Only playback in this package; null: all
   */
  packageId?: number | null;
  /**
   * Only playback that these conditions hold for, as in `query`; null: all
   */
  filters?: string | null;
  /**
   * First day; given together with `edate`
   */
  sdate?: string | null;
  /**
   * Last day
   */
  edate?: string | null;
  /**
   * Instead of `sdate` and `edate`: the last so many days, today included
   */
  lastDays?: number | null;
  /**
   * Which earlier days may be seen beside its own
   */
  compare?: 'none' | 'previous' | 'weekdays' | 'year';
  /**
   * IANA time zone for its days and hours; default: the account's, as it is now
   */
  timeZone?: string | null;
  /**
   * Sites whose pages may embed it, by their origins; empty: none
   *
   * @maxItems 20
   */
  origins?: string[];
  /**
   * When its link stops showing anything; default: never
   */
  expiresAt?: string | null;
}
export interface ShareList {
  list: Share[];
  paging: Paging;
}
export interface SharedView {
  /**
   * Its name, which the page shows as its title
   */
  name: string;
  /**
   * IANA time zone for its days and hours
   */
  timeZone: string;
  /**
   * Which earlier days may be seen beside its own
   */
  compare: 'none' | 'previous' | 'weekdays' | 'year';
  /**
   * Only playback that these conditions hold for; empty: all
   */
  filters: string;
  /**
   * First day that it shows now
   */
  sdate: string;
  /**
   * Last day
   */
  edate: string;
  /**
   * The video it shows; null: the overview
   */
  video: {
    /**
     * Original key of the video
     */
    accessKey: string;
    /**
     * Empty if it was deleted
     */
    title: string;
    /**
     * Its length, milliseconds; 0 if the catalog does not have it
     */
    lengthMs: number;
  } | null;
  /**
   * When its link stops showing anything; null: never
   */
  expiresAt: string | null;
}
export interface ShownInvitation {
  /**
   * What stands behind the `=` in the fragment of the link
   */
  invitation: string;
}
export interface SignIn {
  /**
   * In place of a key: what stands behind `#sign-in=` in a link that signs in
   */
  link?: string;
  /**
   * Of a person
   */
  email?: string;
  /**
   * Theirs
   */
  password?: string;
  /**
   * With a second factor: of the app, or a recovery code
   */
  code?: string;
}
export interface SignInWays {
  /**
   * People sign in with a password
   */
  password: boolean;
  /**
   * An API key signs in
   */
  key: boolean;
  /**
   * Name of the host of the OIDC provider; null: there is none
   */
  provider: string | null;
  /**
   * False: the first person comes by the link that the service gave at its start
   */
  hasPeople: boolean;
  /**
   * Whether links for new passwords are sent by mail
   */
  mail: boolean;
}
export interface SignedIn {
  /**
   * Id of the account; 0: of a person who is a member of none
   */
  accountId: number;
  /**
   * Name of the account; empty if there is none
   */
  name: string;
  /**
   * IANA time zone for the dates and hours of all statistics
   */
  timeZone: string;
  /**
   * Id of the key that signed in; null: a person did
   */
  keyId: number | null;
  /**
   * Name of the key, or of the person
   */
  keyName: string;
  /**
   * What the session may do
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /**
   * Of the person in this account; absent: a key, or a member of none
   */
  role?: 'owner' | 'manager' | 'analyst';
  /**
   * Of an analyst: the packages that they see alone; null: the whole account
   */
  packageIds?: number[] | null;
  person?: Person;
  /**
   * All accounts of the person; absent: a key
   */
  accounts?: PersonAccount[];
}
export interface SigningKey {
  /**
   * Id of the signing key; a token may name it in the header `kid`
   */
  signingKeyId: number;
  /**
   * HS256: a secret made by this service. EdDSA: your own Ed25519 key
   */
  algorithm: 'HS256' | 'EdDSA';
  /**
   * The public key in PEM; null for a secret
   */
  publicKey: string | null;
  /**
   * false: the secret was stored under another APP_SECRET, so its tokens are refused. Set the former APP_SECRET again, or rotate the key and give your server the new secret
   */
  isReadable: boolean;
  /**
   * When it was added
   */
  createdAt: string;
  /**
   * When a replaced secret stops working; null: not replaced
   */
  expiresAt: string | null;
}
export interface SigningKeyFields {
  /**
   * An Ed25519 public key in PEM; if left out, a secret is created
   */
  publicKey?: string;
}
export interface SigningKeyList {
  list: SigningKey[];
  paging: Paging;
}
export interface SigningRotationFields {
  /**
   * How many hours tokens of the old secret keep working
   */
  overlapHours?: number;
}
export interface StatisticsByDate {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByDateRow[];
    /**
     * Identifies the snapshot, to request its further pages
     */
    requestId: string;
    pageSize: string;
    /**
     * Token for the next page, percent-encoded; empty on the last page
     */
    nextToken: string;
  };
}
export interface StatisticsByDateRow {
  /**
   * Playback time in seconds of clock time, rounded down, without pauses, stalls and seeks
   */
  duration: string;
  /**
   * Plays: views whose playback started, each counted once, at the time it started
   */
  videoCount: string;
  /**
   * Day in the time zone of the account or of the request, yyyy-mm-dd
   */
  date: string;
}
export interface StatisticsByHour {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByHourRow[];
    /**
     * Identifies the snapshot, to request its further pages
     */
    requestId: string;
    pageSize: string;
    /**
     * Token for the next page, percent-encoded; empty on the last page
     */
    nextToken: string;
  };
}
export interface StatisticsByHourRow {
  /**
   * Playback time in seconds of clock time, rounded down, without pauses, stalls and seeks
   */
  duration: string;
  /**
   * Plays: views whose playback started, each counted once, at the time it started
   */
  videoCount: string;
  /**
   * Day in the time zone of the account or of the request, yyyy-mm-dd
   */
  date: string;
  /**
   * Hour of the day, "00" to "23"
   */
  hour: string;
}
export interface StatisticsByOs {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsRow[];
    /**
     * Identifies the snapshot, to request its further pages
     */
    requestId: string;
    pageSize: string;
    /**
     * Token for the next page, percent-encoded; empty on the last page
     */
    nextToken: string;
  };
}
export interface StatisticsByOsRow {
  /**
   * Playback time in seconds of clock time, rounded down, without pauses, stalls and seeks
   */
  duration: string;
  /**
   * Plays: views whose playback started, each counted once, at the time it started
   */
  videoCount: string;
  /**
   * Name of the operating system
   */
  os: string;
}
export interface StatisticsByOsDetail {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsDetailRow[];
    /**
     * Identifies the snapshot, to request its further pages
     */
    requestId: string;
    pageSize: string;
    /**
     * Token for the next page, percent-encoded; empty on the last page
     */
    nextToken: string;
  };
}
export interface StatisticsByOsDetailRow {
  /**
   * Playback time in seconds of clock time, rounded down, without pauses, stalls and seeks
   */
  duration: string;
  /**
   * Plays: views whose playback started, each counted once, at the time it started
   */
  videoCount: string;
  /**
   * Name of the operating system
   */
  os: string;
  /**
   * Version of the operating system; `Other` for all beyond the number that is counted in a day or listed in an answer
   */
  detail: string;
}
export interface StatsInfo {
  statsInfo: {
    /**
     * Id of the account
     */
    gid: number;
    /**
     * Id of the package
     */
    pid: number;
    /**
     * Id of the video
     */
    vid: number;
    /**
     * Player; always 1
     */
    plid: number;
    /**
     * Id of the viewer, new in every answer; send it back unchanged
     */
    uid: string;
    /**
     * Time of the service in UTC, yyyyMMddhhmmss
     */
    cs: string;
    errorInfo: ErrorInfo;
  };
}
export interface Suspect {
  /**
   * Id of the suspect
   */
  suspect: string;
  /**
   * Why the playback was set apart
   */
  reason: 'ADDRESS' | 'VIDEO' | 'VIEWER' | 'LENGTH' | 'ACCOUNT' | 'UNSIGNED';
  /**
   * Day (UTC) on which it arrived
   */
  day: string;
  /**
   * For `VIDEO` and `LENGTH` the id of the video, for `UNSIGNED` that of the package or, beyond a limit, a hash; for `ADDRESS` and `VIEWER` a hash that changes every day
   */
  subject: string;
  /**
   * For `VIDEO` and `LENGTH` the access key of the video
   */
  video?: string;
  /**
   * And its title
   */
  videoTitle?: string;
  /**
   * Start of its first quarter of an hour in the requested days
   */
  from: string;
  /**
   * End of its last quarter of an hour in the requested days
   */
  until: string;
  /**
   * Views in these days
   */
  views: number;
  /**
   * Videos in these days
   */
  videos: number;
  /**
   * Plays in these days
   */
  plays: number;
  /**
   * Playback time in these days, in milliseconds
   */
  playMs: number;
  /**
   * The last verdict; null: none yet, so its playback does not count
   */
  verdict: ('accepted' | 'refused') | null;
  decidedAt: string | null;
  /**
   * Who decided, as in the audit: `KEY:` and the id of the key, or `COMMAND_LINE`
   */
  decidedBy: string | null;
}
export interface SuspectList {
  list: Suspect[];
  paging: Paging;
}
export interface ThumbnailFields {
  /**
   * URL of the picture, http or https
   */
  url: string;
  /**
   * Position in the video, in milliseconds
   */
  playtime?: number;
  /**
   * Whether it represents the video; at most one does
   */
  selected?: boolean;
  /**
   * Position from 0; if sent, it must be the position in the list
   */
  seq?: number;
}
export interface ThumbnailItem {
  /**
   * True for the representative thumbnail
   */
  selected: boolean;
  /**
   * Number of the thumbnail
   */
  seq: number;
  /**
   * URL of the picture
   */
  url: string;
  /**
   * Position in the video, in milliseconds
   */
  playtime: number;
}
export interface ThumbnailsAnswer {
  thumbnails: ThumbnailItem[];
}
export interface ThumbnailsBody {
  /**
   * Thumbnails in order
   *
   * @maxItems 100
   */
  thumbnails: ThumbnailFields[];
}
export interface Verdict {
  /**
   * Id of the suspect
   */
  suspect: string;
  /**
   * The last verdict; null: none yet, so its playback does not count
   */
  verdict: ('accepted' | 'refused') | null;
  decidedAt: string | null;
  /**
   * Who decided, as in the audit: `KEY:` and the id of the key, or `COMMAND_LINE`
   */
  decidedBy: string | null;
}
export interface VerdictFields {
  /**
   * `accepted`: its playback counts. `refused`: it does not
   */
  verdict: 'accepted' | 'refused';
}
export interface Video {
  /**
   * Id of the video
   */
  videoId: number;
  /**
   * Id of the folder
   */
  folderId: number;
  /**
   * Original key of the video
   */
  accessKey: string;
  /**
   * Length in milliseconds
   */
  duration: number;
  /**
   * Size of the original file in bytes
   */
  fileSize: number;
  /**
   * Your own identifier
   */
  cid: string | null;
  /**
   * Description of the video
   */
  content: string | null;
  /**
   * URL of the representative thumbnail; empty if there is none
   */
  thumbnailUrl: string;
  /**
   * Height in pixels
   */
  vHeight: number;
  /**
   * Width in pixels
   */
  vWidth: number;
  /**
   * Frames per second
   */
  vFramerate: number;
  /**
   * Title
   */
  title: string;
  /**
   * When the video was created: ISO 8601, UTC, with milliseconds
   */
  cdate: string;
  /**
   * Series
   */
  series: string | null;
  /**
   * Author of the original
   */
  author: string | null;
  /**
   * Copyright notice
   */
  copyright: string | null;
  /**
   * Content rating
   */
  rate: string | null;
  /**
   * Other notes
   */
  etc: string | null;
  /**
   * Whether encoding succeeded, as `encoding_success` in a package; N if unknown
   */
  encodingSuccess: ('Y' | 'N') | null;
  /**
   * Tags
   */
  tag: string;
  /**
   * In a list: how many packages the video is in
   */
  packageCount?: number;
}
export interface VideoChanges {
  /**
   * Id of the folder
   */
  folderId?: number;
  /**
   * Title
   */
  title?: string;
  /**
   * Your own identifier
   */
  cid?: string | null;
  /**
   * Description of the video
   */
  content?: string | null;
  /**
   * Tags
   */
  tag?: string;
  /**
   * Length of the video in milliseconds
   */
  duration?: number;
  /**
   * Size of the original file in bytes
   */
  fileSize?: number;
  /**
   * Height of the picture in pixels
   */
  vHeight?: number;
  /**
   * Width of the picture in pixels
   */
  vWidth?: number;
  /**
   * Frames per second
   */
  vFramerate?: number;
  /**
   * Series the video belongs to
   */
  series?: string | null;
  /**
   * Author of the original
   */
  author?: string | null;
  /**
   * Copyright notice
   */
  copyright?: string | null;
  /**
   * Content rating
   */
  rate?: string | null;
  /**
   * Other notes
   */
  etc?: string | null;
  /**
   * Whether encoding succeeded
   */
  encodingSuccess?: ('Y' | 'N') | null;
}
export interface VideoDetailAnswer {
  videoDetail: {
    /**
     * URL of the video on the content host
     */
    videoUrl: string;
    videoInfo: VideoInfo;
    thumbnails: ThumbnailItem[];
  };
}
export interface VideoList {
  list: Video[];
  paging: Paging;
}
export interface VideosImport {
  /**
   * CSV (RFC 4180) with a header, at most 10,000 lines after it. The columns are the fields of a video, and `folderName` and `thumbnailUrl`; `title` is needed, and `accessKey` or `cid` to identify the video
   */
  csv: string;
  /**
   * Folder of the rows that name none
   */
  folderId?: number;
  /**
   * Package to put the videos into
   */
  packageId?: number;
}
export interface VideosImported {
  /**
   * Videos that are new, or changed by their row
   */
  imported: number;
  /**
   * Videos that were there exactly as given
   */
  unchanged: number;
  /**
   * Rows that were not imported
   */
  refused: number;
  /**
   * One for each refused row, in order
   */
  refusals: RefusedRow[];
}
export interface ViewerCompletion {
  /**
   * The hash that stands for the viewer in this account; no name is kept
   */
  viewer: string;
  /**
   * As it was asked for in `names`; null: all were asked for
   */
  name: string | null;
  /**
   * Videos that the viewer played in the range
   */
  videos: number;
  /**
   * Of these, videos of whose length they saw at least 95 %, in all views
   */
  completed: number;
  /**
   * What they saw of these videos, each part once / the length of these videos, four decimals; null: their player reported no position
   */
  seen: number | null;
  /**
   * The end of their last playback in the range; null: there is none
   */
  lastSeen: string | null;
}
export interface Viewers {
  list: ViewerCompletion[];
  totals: ViewersTotals;
  /**
   * Rows on all pages
   */
  rowCount: number;
  requestId: string;
  /**
   * Rows per page
   */
  pageSize: number;
  /**
   * Of the next page; empty: this is the last one
   */
  nextToken: string;
}
export interface ViewersTotals {
  /**
   * Viewers that have a row
   */
  viewers: number;
  /**
   * Of these, viewers who completed every video that was asked about
   */
  completed: number;
  /**
   * Videos asked about: one, or those in the package that have a length
   */
  videos: number;
}
export interface ViewersAnswer {
  isSuccess: true;
  message: '';
  data: Viewers;
}
export interface WholeDelivery {
  /**
   * Id of the delivery
   */
  deliveryId: number;
  /**
   * The header `webhook-id`, and the beginning of a mail's Message-ID: the same in every attempt
   */
  messageId: string;
  /**
   * The alert that it is of; null: a report
   */
  alertId: number | null;
  /**
   * The report that it is of; null: an alert
   */
  reportId: number | null;
  /**
   * How it is delivered
   */
  channel: 'webhook' | 'mail';
  /**
   * The URL, or the mail address
   */
  receiver: string;
  /**
   * What it says
   */
  type: 'alert.firing' | 'alert.resolved' | 'alert.test' | 'report.ready';
  /**
   * `waiting`: for its first or next attempt; `failed`: it was given up
   */
  state: 'waiting' | 'delivered' | 'failed';
  /**
   * Attempts so far
   */
  attempts: number;
  /**
   * When it was to be delivered first
   */
  createdAt: string;
  /**
   * When the last attempt began; null: there was none
   */
  attemptedAt: string | null;
  /**
   * When the next attempt is due; null: there is none
   */
  nextAttemptAt: string | null;
  /**
   * HTTP status, or SMTP code, of the last answer; null: there was none
   */
  status: number | null;
  /**
   * Why the last attempt failed; null: it did not
   */
  error: string | null;
  /**
   * The message: what a webhook receives
   */
  body: string;
}
export interface WholeFolder {
  /**
   * Name of the folder
   */
  folderName: string;
  /**
   * Id of the folder
   */
  folderId?: number;
}
export interface WholeLabel {
  /**
   * Its name in beacons, and in questions after `label.`
   */
  name: string;
  /**
   * Id of the label
   */
  labelId?: number;
  /**
   * Since when its values are collected
   */
  declaredAt?: string;
}
export interface WholePackage {
  /**
   * Name of the package
   */
  packageName: string;
  /**
   * Kind of package, in your own words; default: VOD
   */
  packageType?: string;
  /**
   * Sites whose playback is counted; empty: all
   *
   * @maxItems 100
   *
   * Items: Origin of a site, such as https://example.com
   */
  allowedOrigins?: string[];
  /**
   * What happens to playback without a valid token: `open` counts it, `prefer` sets it apart, `require` refuses it
   */
  signing?: 'open' | 'prefer' | 'require';
  /**
   * Id of the package
   */
  packageId?: number;
}
export interface WholePublication {
  serviceAble?: 'Y' | 'N';
  /**
   * Id of the package
   */
  packageId?: number;
  /**
   * Id of the video
   */
  videoId?: number;
  /**
   * Original key of the video, unique in the account; not a secret
   */
  accessKey?: string;
  /**
   * Public key of the video in this package, under which players report
   */
  videoKey?: string;
  /**
   * When it was first put into the package
   */
  publishedAt?: string;
}
export interface WholeVideo {
  /**
   * Id of the folder
   */
  folderId: number;
  /**
   * Title
   */
  title: string;
  /**
   * When the video was created, ISO 8601 with an offset; default: now
   */
  cdate?: string;
  /**
   * Your own identifier
   */
  cid?: string | null;
  /**
   * Description of the video
   */
  content?: string | null;
  /**
   * Tags
   */
  tag?: string;
  /**
   * Length of the video in milliseconds
   */
  duration?: number;
  /**
   * Size of the original file in bytes
   */
  fileSize?: number;
  /**
   * Height of the picture in pixels
   */
  vHeight?: number;
  /**
   * Width of the picture in pixels
   */
  vWidth?: number;
  /**
   * Frames per second
   */
  vFramerate?: number;
  /**
   * Series the video belongs to
   */
  series?: string | null;
  /**
   * Author of the original
   */
  author?: string | null;
  /**
   * Copyright notice
   */
  copyright?: string | null;
  /**
   * Content rating
   */
  rate?: string | null;
  /**
   * Other notes
   */
  etc?: string | null;
  /**
   * Whether encoding succeeded
   */
  encodingSuccess?: ('Y' | 'N') | null;
  /**
   * Id of the video
   */
  videoId?: number;
  /**
   * Original key of the video
   */
  accessKey?: string;
  /**
   * URL of the representative thumbnail; empty if there is none
   */
  thumbnailUrl?: string;
  /**
   * In a list: how many packages the video is in
   */
  packageCount?: number;
}
export interface StatisticsByDateParameters {
  /**
   * First day, yyyy-mm-dd. Required in a first request.
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`. Required in a first request.
   */
  edate: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * Sort the rows by this field
   */
  sortData?: 'date' | 'videoCount' | 'duration';
  /**
   * Order of the rows; ties are sorted by `date`, ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * `zero` adds rows for days or hours without playback
   */
  fill?: 'zero';
}
export interface StatisticsByHourParameters {
  /**
   * Day, yyyy-mm-dd. Required in a first request.
   */
  date: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * Sort the rows by this field
   */
  sortData?: 'hour' | 'videoCount' | 'duration';
  /**
   * Order of the rows; ties are sorted by `hour`, ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * `zero` adds rows for days or hours without playback
   */
  fill?: 'zero';
}
export interface StatisticsByOsParameters {
  /**
   * First day, yyyy-mm-dd. Required in a first request.
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`. Required in a first request.
   */
  edate: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * Sort the rows by this field
   */
  sortData?: 'os' | 'videoCount' | 'duration';
  /**
   * Order of the rows; ties are sorted by `os`, ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * `zero` adds rows for days or hours without playback
   */
  fill?: 'zero';
}
export interface StatisticsByOsDetailParameters {
  /**
   * First day, yyyy-mm-dd. Required in a first request.
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`. Required in a first request.
   */
  edate: string;
  /**
   * Operating system, as the query by operating system returns it. Required in a first request.
   */
  os: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * Sort the rows by this field
   */
  sortData?: 'detail' | 'videoCount' | 'duration';
  /**
   * Order of the rows; ties are sorted by `detail`, ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * `zero` adds rows for days or hours without playback
   */
  fill?: 'zero';
}
export interface RetentionParameters {
  /**
   * First day, yyyy-mm-dd
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`
   */
  edate: string;
  /**
   * Original key of the video
   */
  accessKey: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` (none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does not). At most 20 conditions, each of at most 100 values. Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for what people call content. After `==` and `!=`, times, countries and other closed sets have values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write `\,` `\;` and `\\` for `,` `;` and `\`
   */
  filters?: string;
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * Number of equal parts that the length of the video is cut into
   */
  parts?: number;
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
  /**
   * The length that is cut, in milliseconds, in place of the video's own: for a video that has none yet
   */
  lengthMs?: number;
}
export interface ConcurrencyParameters {
  /**
   * First day, yyyy-mm-dd
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`
   */
  edate: string;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` (none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does not). At most 20 conditions, each of at most 100 values. Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for what people call content. After `==` and `!=`, times, countries and other closed sets have values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write `\,` `\;` and `\\` for `,` `;` and `\`
   */
  filters?: string;
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * Length of an interval; minutes for at most 31 days
   */
  interval?: 'minute' | 'hour' | 'day';
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
}
export interface DistributionParameters {
  /**
   * First day, yyyy-mm-dd
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`
   */
  edate: string;
  /**
   * `startupMs`: time to the first frame, of each start; `stallMs`: of all stalls of a view that reports waits; `bitrate`: of a view that reports bits; `playMs`: playback time of a view; `seen`: share of the video that a view saw, of those that report positions
   */
  measure: 'startupMs' | 'stallMs' | 'bitrate' | 'playMs' | 'seen';
  /**
   * Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` (none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does not). At most 20 conditions, each of at most 100 values. Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for what people call content. After `==` and `!=`, times, countries and other closed sets have values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write `\,` `\;` and `\\` for `,` `;` and `\`
   */
  filters?: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * Adds `previous`, the same of an earlier range, as in `query`
   */
  compare?: 'previous' | 'weekdays' | 'year';
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
}
export interface LiveParameters {
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * The list that an answer in CSV has; JSON has both
   */
  list?: 'videos' | 'lastMinutes';
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
}
export interface QueryParameters {
  /**
   * First day, yyyy-mm-dd. Required in a first request.
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`. Required in a first request.
   */
  edate: string;
  /**
   * Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` (none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does not). At most 20 conditions, each of at most 100 values. Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for what people call content. After `==` and `!=`, times, countries and other closed sets have values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write `\,` `\;` and `\\` for `,` `;` and `\`
   */
  filters?: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * One to ten of `plays`, `playMs`, `views`, `viewers`, `averagePlayMs`, `mediaMs`, `positionedViews`, `seenMs`, `averageSeen`, `completions`, `reached25`, `reached50`, `reached75`, `reached100`, `attempts`, `starts`, `exitsBeforeStart`, `exitShare`, `startFailures`, `startFailureShare`, `failures`, `failureShare`, `startupMs`, `startupP50`, `startupP75`, `startupP95`, `startupP99`, `stalls`, `stallsPerHour`, `stalledViews`, `stalledShare`, `stallMs`, `stalledTimeShare`, `seekMs`, `bitrate`, `droppedShare`, separated by commas. Required in a first request.
   */
  measures: string;
  /**
   * Up to three, of which one may be a time, separated by commas: one row for each combination of their values. Without it, the answer has one row. They are `hour`, `date`, `week`, `month`, `year`, `hourOfDay`, `weekday`, `hourOfWeek`, `video`, `package`, `folder`, `os`, `osVersion`, `device`, `browser`, `browserVersion`, `country`, `viewerKind`, `host`, `page`, `referrer`, `player`, `streamType`, `connection`, `mediaHost`, `error`, and `label.NAME` for each label of the account
   */
  dimensions?: string;
  /**
   * Measures and dimensions asked for, separated by commas, with `-` before one for descending order. Default: time ascending if there is one, otherwise the first measure descending. Ties are sorted by the dimensions, ascending; `null` comes last
   */
  sort?: string;
  /**
   * Adds `previous` to each row and to the totals: the measures of the range of the same length just before (`previous`), of the same weekdays (`weekdays`: as many whole weeks before as leave the range behind), or of the same days a year before (`year`); null where there is nothing. If the range ends today, the first two end at the same time of day
   */
  compare?: 'previous' | 'weekdays' | 'year';
  /**
   * `zero` adds rows for the intervals of the range without playback
   */
  fill?: 'zero';
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
}
export interface ViewersParameters {
  /**
   * First day, yyyy-mm-dd. Required in a first request.
   */
  sdate: string;
  /**
   * Last day, yyyy-mm-dd, at most 10 years after `sdate`. Required in a first request.
   */
  edate: string;
  /**
   * Only playback in this package; without `accessKey`, of all videos in it
   */
  packageId?: number;
  /**
   * Only playback of this video, by its original key
   */
  accessKey?: string;
  /**
   * Only these viewers, by the names that pages report or tokens have as `sub`: one on a line (in a URL, %0A between them), at most 200. Each has a row, also one that saw nothing
   */
  names?: string;
  /**
   * Order of the rows, `-` before it for descending; ties by `viewer`, ascending
   */
  sort?:
    'completed' | '-completed' | 'seen' | '-seen' | 'videos' | '-videos' | 'lastSeen' | '-lastSeen';
  /**
   * Conditions joined by `;`, all of which must hold: `NAME==a,b` (any of these), `NAME!=a,b` (none of these), `NAME=@text` (contains the text, whatever its case), `NAME!@text` (does not). At most 20 conditions, each of at most 100 values. Names are those of dimensions, or `videoTitle`, `packageName` and `folderName` for what people call content. After `==` and `!=`, times, countries and other closed sets have values as rows show them: `date==2026-11-20`, `month==2026-11-01`. In values, write `\,` `\;` and `\\` for `,` `;` and `\`
   */
  filters?: string;
  /**
   * IANA time zone for dates and hours; default: the account's
   */
  timeZone?: string;
  /**
   * Rows per page
   */
  pageSize?: number;
  /**
   * For CSV: `1` begins it with a byte order mark, by which Excel reads it as UTF-8
   */
  bom?: '1';
}
export interface VideoDetailParameters {
  /**
   * Original key of the video
   */
  accessKey: string;
  /**
   * Id of the package
   */
  packageId: number;
}
export interface FolderVideosParameters {
  /**
   * Id of the folder
   */
  folderId: number;
  /**
   * Field to search
   */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /**
   * Text to find anywhere in the field, ignoring case; `cid` must match as a whole
   */
  keyword?: string;
  /**
   * Sort by this field; ties by id
   */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  /**
   * Descending or ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * Videos per page
   */
  pageSize?: number;
  /**
   * Page number, from 1
   */
  page?: number;
}
export interface PackageVideosParameters {
  /**
   * Id of the package
   */
  packageId: number;
  /**
   * Only videos in this folder
   */
  folderId?: number;
  /**
   * Field to search
   */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /**
   * Text to find anywhere in the field, ignoring case; `cid` must match as a whole
   */
  keyword?: string;
  /**
   * Sort by this field; ties by id
   */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  /**
   * Descending or ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * Videos per page
   */
  pageSize?: number;
  /**
   * Page number, from 1
   */
  page?: number;
}
export interface ThumbnailsParameters {
  /**
   * Original key of the video
   */
  accessKey: string;
}
export interface PlayerVideoDetailParameters {
  /**
   * The videoKey
   */
  k: string;
}
export interface PlayerStatsInfoParameters {
  /**
   * The videoKey
   */
  k: string;
}
export interface RecordPlayerEventParameters {
  /**
   * The event, as JSON
   */
  data: string;
}
export interface IgnorePlayerSectionsParameters {
  /**
   * Ignored
   */
  data?: string;
}
export interface IgnorePlayerCuePointsParameters {
  /**
   * Ignored
   */
  data?: string;
}
export interface SendCmcdEventsParameters {
  /**
   * Token by which the site's server vouches for the view; see docs/signed-views.md. In every beacon of the view
   */
  token?: string;
}
export interface SendCmcdEventParameters {
  /**
   * One event, as structured fields
   */
  CMCD: string;
  /**
   * Token by which the site's server vouches for the view; see docs/signed-views.md. In every beacon of the view
   */
  token?: string;
}
export interface MembersParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface InvitationsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface OwnSessionsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface OwnAccountsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface PeopleParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ServiceAccountsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface KeysParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface SigningKeysParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ManageFoldersParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ManageVideosParameters {
  /**
   * Only videos in this folder; default: all folders
   */
  folderId?: number;
  /**
   * Only these videos: at most 100 keys, separated by spaces; not together with `folderId` or `keyword`
   */
  accessKeys?: string;
  /**
   * Field to search
   */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /**
   * Text to find anywhere in the field, ignoring case; `cid` must match as a whole
   */
  keyword?: string;
  /**
   * Sort by this field; ties by id
   */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  /**
   * Descending or ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * Videos per page
   */
  pageSize?: number;
  /**
   * Page number, from 1
   */
  page?: number;
}
export interface ManagePackagesParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface PublicationsParameters {
  /**
   * Only videos in this folder
   */
  folderId?: number;
  /**
   * Field to search
   */
  searchItem?: 'title' | 'series' | 'author' | 'copyright' | 'content' | 'tag' | 'etc' | 'cid';
  /**
   * Text to find anywhere in the field, ignoring case; `cid` must match as a whole
   */
  keyword?: string;
  /**
   * Sort by this field; ties by id
   */
  sortItem?: 'id' | 'title' | 'duration' | 'filesize';
  /**
   * Descending or ascending
   */
  sortDirection?: 'desc' | 'asc';
  /**
   * Videos per page
   */
  pageSize?: number;
  /**
   * Page number, from 1
   */
  page?: number;
}
export interface VideoPublicationsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface LabelsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface SharesParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface AnnotationsParameters {
  /**
   * Only those that end after this instant
   */
  from?: string;
  /**
   * Only those that begin before this instant
   */
  to?: string;
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface SavedViewsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface AlertsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ReportsParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface DeliveriesParameters {
  /**
   * Only messages of this alert
   */
  alertId?: number;
  /**
   * Only messages of this report
   */
  reportId?: number;
  /**
   * Only those in this state
   */
  state?: 'waiting' | 'delivered' | 'failed';
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface LedgerParameters {
  /**
   * First day (UTC), yyyy-mm-dd
   */
  sdate: string;
  /**
   * Last day (UTC), yyyy-mm-dd
   */
  edate: string;
}
export interface AuditParameters {
  /**
   * Only changes at or after this instant, ISO 8601 with an offset
   */
  from?: string;
  /**
   * Only changes before this instant, ISO 8601 with an offset
   */
  to?: string;
  action?:
    | 'ACCOUNT_CREATED'
    | 'ACCOUNT_CLOSED'
    | 'ACCOUNT_REOPENED'
    | 'ACCOUNT_CHANGED'
    | 'KEY_CREATED'
    | 'KEY_CHANGED'
    | 'KEY_ROTATED'
    | 'KEY_REVOKED'
    | 'MEMBER_ADDED'
    | 'MEMBER_CHANGED'
    | 'MEMBER_REMOVED'
    | 'INVITATION_CREATED'
    | 'INVITATION_REVOKED'
    | 'PERSON_CREATED'
    | 'PERSON_REMOVED'
    | 'PERSON_CHANGED'
    | 'EMAIL_CHANGE_STARTED'
    | 'EMAIL_CHANGED'
    | 'SIGNED_IN'
    | 'SIGNED_OUT'
    | 'SIGN_IN_REFUSED'
    | 'SIGN_IN_SLOWED'
    | 'PASSWORD_CHANGED'
    | 'RESET_SENT'
    | 'RESET_SHOWN'
    | 'SECOND_FACTOR_STARTED'
    | 'SECOND_FACTOR_ADDED'
    | 'SECOND_FACTOR_REMOVED'
    | 'RECOVERY_CODE_USED'
    | 'IDENTITY_BOUND'
    | 'SIGNING_KEY_ADDED'
    | 'SIGNING_KEY_ROTATED'
    | 'SIGNING_KEY_DELETED'
    | 'LABEL_CREATED'
    | 'LABEL_CHANGED'
    | 'LABEL_DELETED'
    | 'SHARE_CREATED'
    | 'SHARE_REVOKED'
    | 'ANNOTATION_CREATED'
    | 'ANNOTATION_CHANGED'
    | 'ANNOTATION_DELETED'
    | 'VIEW_CREATED'
    | 'VIEW_CHANGED'
    | 'VIEW_DELETED'
    | 'ALERT_CREATED'
    | 'ALERT_CHANGED'
    | 'ALERT_TESTED'
    | 'ALERT_DELETED'
    | 'REPORT_CREATED'
    | 'REPORT_CHANGED'
    | 'REPORT_TESTED'
    | 'REPORT_DELETED'
    | 'DELIVERY_REPLAYED'
    | 'FOLDER_CREATED'
    | 'FOLDER_CHANGED'
    | 'FOLDER_DELETED'
    | 'VIDEO_CREATED'
    | 'VIDEO_CHANGED'
    | 'VIDEO_DELETED'
    | 'VIDEOS_IMPORTED'
    | 'THUMBNAILS_REPLACED'
    | 'THUMBNAIL_SELECTED'
    | 'PACKAGE_CREATED'
    | 'PACKAGE_CHANGED'
    | 'PACKAGE_DELETED'
    | 'PUBLISHED'
    | 'PUBLICATION_CHANGED'
    | 'PUBLICATION_RETIRED'
    | 'SUSPECT_ACCEPTED'
    | 'SUSPECT_REFUSED'
    | 'PLAYBACK_ERASED'
    | 'SUMS_REPAIRED';
  /**
   * Only changes by a key (`KEY:` and its id), a person (`PERSON:` and their id), `COMMAND_LINE` or `SERVICE`
   */
  actor?: string;
  /**
   * Entries per page
   */
  pageSize?: number;
  /**
   * `nextToken` of the previous page; default: the newest entries
   */
  pageToken?: string;
}
export interface ServiceAuditParameters {
  /**
   * Entries per page
   */
  pageSize?: number;
  /**
   * `nextToken` of the previous page; default: the newest entries
   */
  pageToken?: string;
}
export interface SuspectsParameters {
  /**
   * First day (UTC) of the playback
   */
  sdate: string;
  /**
   * Last day (UTC) of the playback
   */
  edate: string;
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ErasePlaybackParameters {
  /**
   * Only this view, as the page, the token or the CMCD session calls it
   */
  view?: string;
  /**
   * Only this viewer, as the page or the token calls them
   */
  viewer?: string;
  /**
   * Only playback of this video
   */
  accessKey?: string;
  /**
   * Only playback in this package
   */
  packageId?: number;
  /**
   * Only what was played before this day (yyyy-mm-dd) of the account. Alone: all playback of earlier days
   */
  before?: string;
  /**
   * `Y`, with `before` alone: single facts are erased, by whole UTC days, and their sums stay. Plays and time by video, folder, package, system and time are still answered, everything else only from that day on. Default: `N`
   */
  keepSums?: 'Y' | 'N';
  /**
   * Instead of all others: everything of the account, which must be that of the key
   */
  account?: number;
  /**
   * `Y`: only count what would be erased
   */
  dryRun?: 'Y' | 'N';
}
export interface ErasuresParameters {
  /**
   * Items per page
   */
  pageSize?: number;
  /**
   * Page number, from 1; past the last page the list is empty but the totals are right
   */
  page?: number;
}
export interface ReadinessParameters {
  /**
   * Only whether it takes beacons (`collect`) or answers questions (`report`); default: both, as far as the role of the node has them
   */
  for?: 'collect' | 'report';
}
