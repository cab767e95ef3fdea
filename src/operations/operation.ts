/**
 * A management operation as one record. `http/management` makes its route and its part of the
 * OpenAPI document from it (and with that the client's method), `cli/operation-verb.ts` its verbs.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type {
  CatalogParts,
  ErasedCounts,
  Erasure,
  NewRule,
  Rule,
  RuleMessage,
  SignedPerson,
} from '../catalog/catalog.ts';
import type { Suspects } from '../collect/abuse/quarantine.ts';
import type { Passwords } from '../lib/password-hash.ts';
import type { Sealer } from '../lib/sealer.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { DeclaredLabels } from '../query/parse/dimension-parser.ts';
import type { LedgerStore } from '../store/facts.ts';
import type { AuditAction } from '../vocabulary/audit-actions.ts';
import type { FaultCode, ParameterFault } from '../vocabulary/faults.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { VideosImport, VideosImported } from '../wire/library/video-import.ts';
import type { AlertFields } from '../wire/management/alerts.ts';
import type { ErasureRequest } from '../wire/management/erasure-messages.ts';
import type { Me } from '../wire/management/me.ts';
import type { ReportFields } from '../wire/management/reports.ts';
import type { ServiceFindings, ServiceHealth, ServiceLimits } from '../wire/management/service.ts';
import type { PageRequest } from '../wire/management-messages.ts';
import type { SendPersonMail } from './people/mails.ts';
import type { Proofs } from './people/proofs.ts';

type NoMembers = TObject<Record<never, never>>;

/** What operations use beside the catalog. */
export interface OperationServices {
  /** See createSigningSealer. */
  signingSealer(): Promise<Sealer>;
  ruleReader(): Promise<RuleReader>;
}

/** Both throw what is wrong with the fields. */
export interface RuleReader {
  readAlert(fields: AlertFields, maker: RuleMaker): ReadRule;
  readReport(fields: ReportFields, maker: RuleMaker): ReadRule;
}

/** Whose statistics a rule reads. */
export interface RuleMaker {
  readonly accountId: number;
  readonly timeZone: string;
  readonly labels: DeclaredLabels;
}

export interface ReadRule {
  readonly rule: NewRule;
  /** Of its webhook; undefined if it has none. */
  readonly secret: string | undefined;
}

/** What operations use that only a running service has: its facts, its queues, and the request. */
export interface RunningService {
  readonly suspects: Pick<Suspects, 'list' | 'decide'>;
  readonly eraser: {
    count(catalog: CatalogParts, request: PlaybackToErase): Promise<ErasedCounts>;
    /** Resolves when it is recorded. */
    record(catalog: CatalogParts, request: PlaybackToErase): Promise<Erasure>;
  };
  /** Including what this node has counted so far. */
  readonly readLedger: LedgerStore['read'];
  /** One after the other; the folder and the package are those of the account. */
  importVideos(
    catalog: CatalogParts,
    wanted: VideosImport & { readonly accountId: number; readonly timeZone: string },
  ): Promise<VideosImported>;
  describeSender(): Me;
  readonly state: ServiceState;
  /** Of an operation whose role is `person` or `operator`. */
  signedPerson(): SignedPerson;
  readonly people: PeopleService;
  /** What the rule would send, of the last time that is over. */
  composeMessage(rule: Rule): Promise<RuleMessage>;
  /** Whether mails are sent. */
  readonly canMail: boolean;
}

/** Of this node. */
export interface ServiceState {
  health(): Promise<ServiceHealth>;
  /** One at a time; the findings are kept for a minute. */
  examine(): Promise<ServiceFindings>;
  limits(): Promise<ServiceLimits>;
}

/** What operations about people use that only a running service has. */
export interface PeopleService {
  readonly proofs: Proofs;
  readonly passwords: Passwords;
  /** Of the secrets of authenticator apps. */
  readonly secondFactorSealer: Sealer;
  readonly clock: Pick<Clock, 'now'>;
  /** Undefined where no mail is sent: without SMTP_URL, or PUBLIC_URL. */
  readonly sendMail: SendPersonMail | undefined;
  /** Throws RATE_LIMITED where an account has had enough mails sent to people. */
  takeMail(accountId: number): Promise<void>;
  /**
   * Whether another link for a new password or address may be sent for a person: more would only
   * fill a mailbox. Anybody may ask for the one, which keeps nobody from the other.
   */
  maySendLink(kind: 'password' | 'email', personId: number): Promise<boolean>;
  /** PUBLIC_URL; empty if it is not set. */
  readonly url: string;
  /** From which the request comes. */
  readonly address: string;
}

export interface PlaybackToErase extends Omit<ErasureRequest, 'dryRun' | 'account' | 'keepSums'> {
  readonly accountId: number;
  readonly keepSums: boolean;
}

/** Of operations about a person, or about the service. */
export const noAccount = 0;

export interface Call<Path, Query, Body> {
  /** Or `noAccount`. */
  readonly accountId: number;
  /** For a repeatable POST, the catalog inside its transaction. */
  readonly catalog: CatalogParts;
  readonly services: OperationServices;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
}

interface ServiceCall<Path, Query, Body> extends Call<Path, Query, Body> {
  readonly service: RunningService;
}

interface Described {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly bodyIsOptional?: boolean;
  /** A POST under no idempotency key: it asks the statistics, for which no transaction may wait. */
  readonly isNotKept?: boolean;
  /** The answer's schema, by status; null: no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Those that do not follow from method and parameters. */
  readonly faults?: readonly FaultCode[];
}

/** Who may, beside keys with the scope `manage`. */
interface Rights {
  /** The least role of a member. `person`: whoever is signed in; `operator`: of the service alone. */
  readonly role: MemberRole | 'person' | 'operator';
  /** Whether narrowed analysts may: see Right. */
  readonly isPinned?: true;
}

/** `audit`: what its changes are in the audit, each where it applies. */
type Method =
  | { readonly method: 'GET'; readonly audit?: undefined }
  | {
      readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly audit: readonly [AuditAction, ...AuditAction[]];
    };

interface Parameters<Path extends TObject, Query extends TObject, Body extends TObject> {
  readonly path?: Path;
  readonly query?: Query;
  /** What is wrong with the query beyond its schema, of what is well-formed of it. */
  readonly check?: (some: Partial<Static<Query>>) => readonly ParameterFault[];
  readonly body?: Body;
  /** For a PUT: the stored record to compare read-only members with; undefined if none. */
  readonly read?: (call: Call<Static<Path>, unknown, unknown>) => Promise<object | undefined>;
}

/** Each resolves with the body of the answer, within `Created` where that is not the first status. */
type Handler<Path, Query, Body, Answer> =
  | {
      readonly run: (call: Call<Path, Query, Body>) => Promise<Answer | Created<Answer>>;
      readonly serve?: never;
      readonly commands?: readonly Command<Path, Query, Body, Answer>[];
    }
  | {
      /** In place of `run`, for what only a running service can do. */
      readonly serve: (call: ServiceCall<Path, Query, Body>) => Promise<Answer>;
      readonly run?: never;
      readonly commands?: never;
    };

/** Answered with 201, by an operation that otherwise answers with 200. */
export class Created<Answer> {
  readonly body: Answer;

  constructor(body: Answer) {
    this.body = body;
  }
}

/** A verb of the command line that runs the operation. */
type Command<Path, Query, Body, Answer> = DescribedCommand<
  string & (keyof Path | keyof Query | keyof Body)
> &
  (
    | {
        /** What the verb prints. */
        readonly show: (answer: Answer, call: CommandCall) => Outcome;
        readonly run?: never;
      }
    | {
        /** In place of `show`, where the verb does more than the operation; `texts`: of its options. */
        readonly run: (call: Call<Path, Query, Body>, texts: Texts) => Promise<Outcome>;
        readonly show?: never;
      }
  );

interface DescribedCommand<Member> {
  /** Two words: `package create`. */
  readonly words: string;
  readonly summary: string;
  /** In the order of the help; `--account` before them and `--json` after them are those of all. */
  readonly options: Readonly<Record<string, CommandOption<Member>>>;
  /** Members that the verb itself stands for. */
  readonly fixed?: Members;
}

/** What a verb was run with. */
export interface CommandCall {
  readonly accountId: number;
  /** The members that its options gave. */
  readonly given: Members;
  /** The URL under which the service is reached, without a slash at its end. */
  readonly publicUrl: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** By the member that an option gives, or else by its name. */
export type Texts = Readonly<Record<string, string>>;

/** An option of a verb. */
export interface CommandOption<Member = string> {
  /** What it gives of the operation's path, query or body; if absent, the verb's own `run` reads it. */
  readonly member?: Member;
  readonly description: string;
  /** Stands for the value in the help. */
  readonly valueHint: string;
  readonly required?: boolean;
  readonly default?: string;
  /** The value of a text; if absent, it is read as the member's schema says. */
  readonly read?: (text: string) => unknown;
}

/** The result of a verb: as JSON with `--json`, otherwise as lines for people. */
export interface Outcome {
  /** Undefined: nothing is left to print. */
  readonly json?: object;
  readonly lines: readonly string[];
  /** Whether some of it was refused: exit code 1, after all of it is printed. */
  readonly isIncomplete?: boolean;
}

/**
 * Any operation. Its functions are methods, which take the members of any schema: the adapters
 * check them against the schemas of the same record.
 */
export type ManagementOperation = Described &
  Rights &
  Method & {
    readonly path?: TObject;
    readonly query?: TObject;
    readonly body?: TObject;
    check?(some: Members): readonly ParameterFault[];
    read?(call: Call<Members, unknown, unknown>): Promise<object | undefined>;
    run?(call: Call<Members, Members, Members>): Promise<unknown>;
    serve?(call: ServiceCall<Members, Members, Members>): Promise<unknown>;
    readonly commands?: readonly AnyCommand[];
  };

export interface AnyCommand extends DescribedCommand<string> {
  show?(answer: unknown, call: CommandCall): Outcome;
  run?(call: Call<Members, Members, Members>, texts: Texts): Promise<Outcome>;
}

/** Checks a record's types against each other. */
export function defineOperation<
  Answer,
  Path extends TObject = NoMembers,
  Query extends TObject = NoMembers,
  Body extends TObject = NoMembers,
>(
  record: Described &
    Rights &
    Method &
    Parameters<Path, Query, Body> &
    Handler<Static<Path>, Static<Query>, Static<Body>, Answer>,
): ManagementOperation {
  return record;
}

/** A page of a list that the catalog returns in full, because it is bounded. */
export function paginate<Item>(items: readonly Item[], { page, pageSize }: PageRequest) {
  const start = (page - 1) * pageSize;
  const list = items.slice(start, start + pageSize);
  return { list, paging: describePaging({ page, pageSize }, items.length) };
}

export function describePaging({ page, pageSize }: PageRequest, totalCount: number) {
  return { page, pageSize, totalCount, totalPage: Math.ceil(totalCount / pageSize) };
}
