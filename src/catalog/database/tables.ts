import type { Generated, Selectable } from 'kysely';
import type { AnnotationKind } from '../../vocabulary/annotations.ts';
import type { ErasureKind, ErasureState } from '../../vocabulary/erasures.ts';
import type { Language } from '../../vocabulary/languages.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import type { SigningAlgorithm, SigningMode } from '../../vocabulary/view-token.ts';
import type { ViewerMode } from '../../vocabulary/viewers.ts';
import type {
  DeliveryChannel,
  DeliveryState,
  MessageType,
} from '../../wire/management/deliveries.ts';
import type { ShareComparison } from '../../wire/management/shares.ts';

/**
 * The catalog's tables as Kysely sees them; the columns are their names in snake_case.
 * Instants are milliseconds since 1970 and flags are 0 or 1, because both databases keep those
 * alike. Rows that statistics refer to are never removed: `deletedAtMs` hides them.
 */
export interface Tables extends RuleTables, ExportTables, PeopleTables {
  identities: IdentitiesTable;
  accounts: AccountsTable;
  apiKeys: ApiKeysTable;
  folders: FoldersTable;
  videos: VideosTable;
  thumbnails: ThumbnailsTable;
  packages: PackagesTable;
  publications: PublicationsTable;
  snapshots: SnapshotsTable;
  idempotentWrites: IdempotentWritesTable;
  signingKeys: SigningKeysTable;
  changeCount: ChangeCountTable;
  audit: AuditTable;
  /** The same of the service as a whole: of no account. */
  serviceAudit: Omit<AuditTable, 'accountId'>;
  auditPurges: AuditPurgesTable;
  serviceAuditPurges: Omit<AuditPurgesTable, 'accountId'>;
  verdicts: VerdictsTable;
  sessions: SessionsTable;
  salts: SaltsTable;
  labels: LabelsTable;
  erasures: ErasuresTable;
  erasedNames: ErasedNamesTable;
  shares: SharesTable;
  annotations: AnnotationsTable;
  savedViews: SavedViewsTable;
}

/** What the catalog belongs to, and the digest of what it held when it was last moved. */
interface IdentitiesTable {
  name: string;
  value: string;
}

interface AccountsTable {
  id: Generated<number>;
  name: string;
  timeZone: string;
  createdAtMs: number;
  /** Counts the writes to its videos and packages; see list-counts.ts. */
  libraryChanges: Generated<number>;
  /** How often its counts were to shrink, by a verdict or an erasure. */
  verdictEpoch: Generated<number>;
  takesUnsealed: Generated<0 | 1>;
  viewers: Generated<ViewerMode>;
  factsMonths: Generated<number>;
  /** Whether sums stay when facts are erased by their age. */
  keepsSums: Generated<0 | 1>;
  /** Whether any of its playback was ever erased. */
  isErased: Generated<0 | 1>;
  /** Since when its facts are kept; 0: all. */
  keptSinceMs: Generated<number>;
  /** Snapshots of answers that are older are void. */
  answersSinceMs: Generated<number>;
  /** Nobody and nothing comes in from then on; null: it is open. */
  closedAtMs: Generated<number | null>;
}

interface ApiKeysTable {
  id: Generated<number>;
  accountId: number;
  /** The part of the secret that may be shown; unique in practice, but not by a constraint. */
  prefix: string;
  /** SHA-256 of the whole secret, as hexadecimal text. */
  secretHash: string;
  /** Scopes, separated by commas. */
  scopes: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  name: Generated<string>;
  /** The beginning of a minute; null: never used. */
  lastUsedAtMs: Generated<number | null>;
  /** Who made it; empty before 0.3.0. */
  actor: Generated<string>;
  actorName: Generated<string>;
}

interface FoldersTable {
  id: Generated<number>;
  accountId: number;
  name: string;
  createdAtMs: number;
  deletedAtMs: number | null;
}

interface VideosTable {
  id: Generated<number>;
  accountId: number;
  folderId: number;
  accessKey: string;
  cid: string | null;
  content: string | null;
  tag: string;
  durationMs: number;
  createdAtMs: number;
  fileSizeBytes: number;
  height: number;
  width: number;
  frameRate: number;
  title: string;
  /** The sort key of titles; see search-text.ts. */
  titleOrder: string;
  series: string | null;
  author: string | null;
  copyright: string | null;
  rate: string | null;
  etc: string | null;
  encodingSuccess: 'Y' | 'N' | null;
  deletedAtMs: number | null;
}

export type VideoRow = Selectable<VideosTable>;
export type NewVideoRow = Omit<VideoRow, 'id'>;

interface ThumbnailsTable {
  videoId: number;
  seq: number;
  url: string;
  playTimeMs: number;
  selected: 0 | 1;
}

interface PackagesTable {
  id: Generated<number>;
  accountId: number;
  name: string;
  type: string;
  /** Separated by spaces; empty: all. */
  allowedOrigins: Generated<string>;
  signing: Generated<SigningMode>;
  createdAtMs: number;
  deletedAtMs: number | null;
}

/** Contains copies of a package list's sort columns, so that an index can have its order. */
interface PublicationsTable {
  id: Generated<number>;
  accountId: number;
  packageId: number;
  videoId: number;
  videoKey: string;
  serviceAble: 'Y' | 'N';
  titleOrder: string;
  durationMs: number;
  fileSizeBytes: number;
  createdAtMs: number;
  retiredAtMs: number | null;
}

interface SnapshotsTable {
  requestId: string;
  accountId: number;
  path: string;
  rowCount: number;
  body: Uint8Array;
  /** What it counts towards the room of its account. */
  bytes: number;
  asOfMs: number;
  completeThroughMs: number;
  expiresAtMs: number;
}

interface IdempotentWritesTable {
  accountId: number;
  /** As the audit names who sent it. */
  actor: string;
  path: string;
  idempotencyKey: string;
  fingerprint: string;
  /** Null only inside the transaction that writes it. */
  answer: Uint8Array | null;
  createdAtMs: number;
}

/** Rows are added by noteChange, never changed, and deleted only by the purge. */
interface AuditTable {
  id: Generated<number>;
  accountId: number;
  atMs: number;
  actor: string;
  actorName: string;
  address: string | null;
  action: string;
  object: string | null;
  beforeJson: string | null;
  afterJson: string | null;
}

/** Entries of this action may be deleted if they are not younger; the database sees to it. */
interface AuditPurgesTable {
  accountId: number;
  action: string;
  throughMs: number;
}

/** The last decision about each suspect. */
interface VerdictsTable {
  accountId: number;
  suspect: string;
  verdict: 'accepted' | 'refused';
  atMs: number;
  actor: string;
  actorName: string;
  decisions: number;
  isSummed: 0 | 1;
}

interface SigningKeysTable {
  id: Generated<number>;
  accountId: number;
  algorithm: SigningAlgorithm;
  /** A secret, sealed, or a public key. */
  material: Uint8Array;
  createdAtMs: number;
  expiresAtMs: number | null;
}

interface SessionsTable {
  id: Generated<number>;
  /** Of a key or of a person. */
  keyId: number | null;
  personId: number | null;
  /** A link signs in once, and is then no longer there. */
  kind: 'session' | 'link';
  /** SHA-256 of the token, as hexadecimal text. */
  tokenHash: string;
  createdAtMs: number;
  expiresAtMs: number;
  /** The beginning of a minute; null: not since it began. Of people alone, as the rest. */
  usedAtMs: Generated<number | null>;
  device: Generated<string>;
  address: Generated<string>;
  country: Generated<string>;
}

/** Of the days of accounts; those of one account do not overlap. */
interface SaltsTable {
  accountId: number;
  fromMs: number;
  untilMs: number;
  salt: Uint8Array;
}

/** Deleted only if they were never used: their numbers are columns of the facts. */
interface LabelsTable {
  id: Generated<number>;
  accountId: number;
  number: number;
  name: string;
  createdAtMs: number;
  isUsed: 0 | 1;
  deletedAtMs: number | null;
}

/** Receipts; see erasures.ts. Never deleted. */
interface ErasuresTable {
  receipt: string;
  accountId: number;
  kind: ErasureKind;
  viewer: string;
  packageId: number;
  videoId: number;
  untilMs: number;
  state: ErasureState;
  views: number;
  facts: number;
  atMs: number;
  actor: string;
  actorName: string;
  endedAtMs: number | null;
}

export type ErasureRow = Selectable<ErasuresTable>;

/** See `ErasureBook` of the facts. */
interface ErasedNamesTable {
  accountId: number;
  name: string;
  untilMs: number;
  /** Several may name the same. */
  receipt: string;
}

/** One row; see change-watch.ts. */
interface ChangeCountTable {
  id: 1;
  count: number;
}

interface SharesTable {
  id: Generated<number>;
  accountId: number;
  /** The part of the token that stands in its path. */
  tokenStart: string;
  /** SHA-256 of the whole token, as hexadecimal text. */
  tokenHash: string;
  name: string;
  accessKey: string | null;
  packageId: number | null;
  filters: string;
  /** Either both days, or how many last days. */
  fromDay: string | null;
  toDay: string | null;
  lastDays: number | null;
  compare: ShareComparison;
  timeZone: string;
  /** Separated by spaces; empty: none. */
  origins: string;
  expiresAtMs: number | null;
  createdAtMs: number;
  actor: string;
  actorName: string;
  /** See parsePackages; null: all. */
  packages: Generated<string | null>;
}

interface AnnotationsTable {
  id: Generated<number>;
  accountId: number;
  kind: AnnotationKind;
  text: string;
  atMs: number;
  /** Null: it is of one moment. */
  untilMs: number | null;
  /** One of both at most; neither: of the whole account. */
  packageId: number | null;
  videoId: number | null;
  createdAtMs: number;
  actor: string;
  actorName: string;
}

interface SavedViewsTable {
  id: Generated<number>;
  accountId: number;
  /** Whose it is; null: all of the account see it. */
  personId: number | null;
  name: string;
  page: string;
  query: string;
  createdAtMs: number;
  actor: string;
  actorName: string;
}

interface RuleTables {
  rules: RulesTable;
  deliveries: DeliveriesTable;
}

interface RulesTable {
  id: Generated<number>;
  /** See parsePackages; null: those of the whole account. */
  packages: Generated<string | null>;
  accountId: number;
  subject: 'alert' | 'report';
  name: string;
  /** JSON of AlertTerms or ReportTerms. */
  terms: string;
  url: string | null;
  sealedSecret: Uint8Array | null;
  /** Separated by spaces; empty: none. */
  mailTo: string;
  isFiring: 0 | 1;
  isPaused: Generated<0 | 1>;
  judgedThroughMs: number;
  createdAtMs: number;
  actor: string;
  actorName: string;
}

/** Outlives its rule. */
interface DeliveriesTable {
  id: Generated<number>;
  accountId: number;
  ruleId: number;
  subject: 'alert' | 'report';
  messageId: string;
  channel: DeliveryChannel;
  receiver: string;
  type: MessageType;
  body: string;
  state: DeliveryState;
  attempts: number;
  /** When it is due, while it waits. */
  nextAtMs: number;
  createdAtMs: number;
  attemptedAtMs: number | null;
  status: number | null;
  error: string | null;
}

interface ExportTables {
  scheduledRuns: ScheduledRunsTable;
  exportDays: ExportDaysTable;
}

/** How each kind of scheduled work stands, and which process carries it out. */
export interface ScheduledRunsTable {
  name: 'export' | 'backup' | 'verify';
  /** Empty: none. */
  holder: string;
  leasedUntilMs: number;
  afterMs: number;
  failures: number;
  error: string | null;
  retryAtMs: number;
  succeededAtMs: number | null;
  /** This and the rest: of exports alone. */
  completeThroughMs: number | null;
  target: string;
  lookedAtMs: number;
  notedThroughMs: number;
}

/** Days that are to be exported, of which some were before. */
interface ExportDaysTable {
  accountId: number;
  /** Start of a UTC day (ms); 0: all days. */
  day: number;
}

interface PeopleTables {
  people: PeopleTable;
  memberships: MembershipsTable;
  personIdentities: PersonIdentitiesTable;
  recoveryCodes: RecoveryCodesTable;
  invitations: InvitationsTable;
}

interface PeopleTable {
  id: Generated<number>;
  /** As it was written; null where a provider gave none. */
  email: string | null;
  /** The same in lower case. */
  emailKey: string | null;
  name: string;
  language: Language;
  /** See password-hash.ts; null: none. */
  passwordHash: string | null;
  isOperator: 0 | 1;
  /** Sealed as signing keys are; while `hasSecondFactor` is 0, it was not confirmed yet. */
  sealedSecondFactor: Uint8Array | null;
  hasSecondFactor: Generated<0 | 1>;
  /** The last time step whose code was used: none is taken twice. */
  secondFactorStep: Generated<number>;
  createdAtMs: number;
  /** The beginning of a minute; null: never signed in. */
  lastSeenAtMs: number | null;
  /** What the address becomes once the link to it is followed. */
  newEmail: Generated<string | null>;
  /** SHA-256 of the token of that link, as hexadecimal text. */
  newEmailTokenHash: Generated<string | null>;
  newEmailUntilMs: Generated<number | null>;
}

interface MembershipsTable {
  accountId: number;
  personId: number;
  role: MemberRole;
  /** See parsePackages; null: not narrowed. */
  packages: string | null;
  /** Whether a claim of a provider made it, which then also changes and ends it. */
  isByClaim: 0 | 1;
  createdAtMs: number;
  changedAtMs: number;
}

interface PersonIdentitiesTable {
  issuer: string;
  subject: string;
  personId: number;
  /** Of the address that the provider vouched for; null: none. */
  emailKey: string | null;
}

interface RecoveryCodesTable {
  personId: number;
  /** SHA-256, as hexadecimal text. */
  codeHash: string;
}

interface InvitationsTable {
  id: Generated<number>;
  /** Null: of the first person, to all accounts. */
  accountId: number | null;
  email: string | null;
  role: MemberRole;
  packages: string | null;
  /** SHA-256 of the token, as hexadecimal text. */
  tokenHash: string;
  createdAtMs: number;
  expiresAtMs: number;
  actor: string;
  actorName: string;
}
