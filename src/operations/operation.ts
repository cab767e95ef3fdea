/**
 * A management operation as one record. `http/management` makes its route and its part of the
 * OpenAPI document from it (and with that the client's method), `cli/operation-verb.ts` its verbs.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { CatalogParts, NewRule } from '../catalog/catalog.ts';
import type { Sealer } from '../lib/sealer.ts';
import type { DeclaredLabels } from '../query/parse/dimension-parser.ts';
import type { AuditAction } from '../vocabulary/audit-actions.ts';
import type { FaultCode, ParameterFault } from '../vocabulary/faults.ts';
import type { AlertFields } from '../wire/management/alerts.ts';
import type { ReportFields } from '../wire/management/reports.ts';
import type { PageRequest } from '../wire/management-messages.ts';

type NoMembers = TObject<Record<never, never>>;

/** What operations use beside the catalog. */
export interface OperationServices {
  /** See createSigningSealer. */
  signingSealer(): Promise<Sealer>;
  /** Both reject with what is wrong with the fields. */
  readAlert(fields: AlertFields, maker: RuleMaker): Promise<ReadRule>;
  readReport(fields: ReportFields, maker: RuleMaker): Promise<ReadRule>;
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

export interface Call<Path, Query, Body> {
  readonly accountId: number;
  /** For a repeatable POST, the catalog inside its transaction. */
  readonly catalog: CatalogParts;
  readonly services: OperationServices;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
}

interface Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly bodyIsOptional?: boolean;
  /** The answer's schema, by status; null: no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Those that do not follow from method and parameters. */
  readonly faults?: readonly FaultCode[];
  /** What its changes are in the audit, each where it applies; absent if it changes nothing. */
  readonly audit?: readonly AuditAction[];
}

interface TypedOperation<Path extends TObject, Query extends TObject, Body extends TObject, Answer>
  extends Described {
  readonly path?: Path;
  readonly query?: Query;
  /** What is wrong with the query beyond its schema, of what is well-formed of it. */
  readonly check?: (some: Partial<Static<Query>>) => readonly ParameterFault[];
  readonly body?: Body;
  /** For a PUT: the stored record to compare read-only members with; undefined if none. */
  readonly read?: (call: Call<Static<Path>, unknown, unknown>) => Promise<object | undefined>;
  /** Resolves with the body of the answer, within `Created` where that is not the first status. */
  readonly run: (
    call: Call<Static<Path>, Static<Query>, Static<Body>>,
  ) => Promise<Answer | Created<Answer>>;
  readonly commands?: readonly Command<
    keyof Static<Path> | keyof Static<Query> | keyof Static<Body>,
    Answer
  >[];
}

/** Answered with 201, by an operation that otherwise answers with 200. */
export class Created<Answer> {
  readonly body: Answer;

  constructor(body: Answer) {
    this.body = body;
  }
}

/** A verb of the command line that runs the operation. */
export interface Command<Member, Answer> {
  /** Two words: `package create`. */
  readonly words: string;
  readonly summary: string;
  /** In the order of the help; `--account` before them and `--json` after them are those of all. */
  readonly options: Readonly<Record<string, CommandOption<Member>>>;
  /** Members that the verb itself stands for. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** What the verb prints. */
  show(answer: Answer, call: CommandCall): Outcome;
}

/** What a verb was run with. */
export interface CommandCall {
  readonly accountId: number;
  /** The members that its options gave. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The URL under which the service is reached. */
  readonly publicUrl: string;
}

/** An option of a verb, which gives a member of the operation's path, query or body. */
export interface CommandOption<Member> {
  readonly member: Member;
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

/** Any operation, as the adapters see it: they check what they pass against its schemas. */
export interface ManagementOperation extends Described {
  readonly path?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly check?: (some: never) => readonly ParameterFault[];
  readonly read?: (call: Call<never, never, never>) => Promise<object | undefined>;
  readonly run: (call: Call<never, never, never>) => Promise<unknown>;
  readonly commands?: readonly Command<string, never>[];
}

/** Checks a record's types against each other. */
export function defineOperation<
  Answer,
  Path extends TObject = NoMembers,
  Query extends TObject = NoMembers,
  Body extends TObject = NoMembers,
>(record: TypedOperation<Path, Query, Body, Answer>): ManagementOperation {
  return record as unknown as ManagementOperation;
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
