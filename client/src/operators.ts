/** What operators of the service ask and change; each of them is a person who is signed in. */
import type { CallOptions, Connection } from './connection.ts';
import type {
  AuditPage,
  EmailLink,
  NewAccountFields,
  PeopleParameters,
  PersonAccount,
  PersonList,
  ResetLink,
  ServiceAccountList,
  ServiceAccountsParameters,
  ServiceAuditParameters,
  ServiceFindings,
  ServiceHealth,
  ServiceLimits,
} from './interface.ts';

export interface Operators {
  /** Those that are closed too. */
  serviceAccounts(
    page?: ServiceAccountsParameters,
    options?: CallOptions,
  ): Promise<ServiceAccountList>;
  /** Whoever creates it is its first owner. */
  addAccount(fields: NewAccountFields, options?: CallOptions): Promise<PersonAccount>;
  /** By its name as well, so that no other is closed by mistake. */
  closeAccount(accountId: number, name: string, options?: CallOptions): Promise<void>;
  reopenAccount(accountId: number, options?: CallOptions): Promise<void>;
  people(page?: PeopleParameters, options?: CallOptions): Promise<PersonList>;
  /** Only this answer has the link, as its `path` after the URL of the service. */
  createReset(personId: number, options?: CallOptions): Promise<ResetLink>;
  /** Likewise of the link that makes the address theirs. */
  createEmailLink(personId: number, email: string, options?: CallOptions): Promise<EmailLink>;
  serviceHealth(options?: CallOptions): Promise<ServiceHealth>;
  /** May take half a minute. */
  serviceFindings(options?: CallOptions): Promise<ServiceFindings>;
  serviceLimits(options?: CallOptions): Promise<ServiceLimits>;
  serviceAudit(parameters?: ServiceAuditParameters, options?: CallOptions): Promise<AuditPage>;
}

const root = '/manage/v1';
const service = `${root}/service`;

export function operatorsOf(connection: Connection): Operators {
  const get = async <Body>(path: string, query: object = {}, options: CallOptions = {}) =>
    (await connection.get<Body>(path, { ...query }, options)).body;
  const closureOf = (accountId: number) => `${service}/accounts/${accountId}/closure`;
  return {
    serviceAccounts: (page, options) => get(`${service}/accounts`, page, options),
    async addAccount(fields, options = {}) {
      const once = { ...options, idempotencyKey: crypto.randomUUID() };
      return (await connection.post<PersonAccount>(`${root}/accounts`, fields, once)).body;
    },
    async closeAccount(accountId, name, options = {}) {
      await connection.change('PUT', closureOf(accountId), { name }, options);
    },
    async reopenAccount(accountId, options = {}) {
      await connection.change('DELETE', closureOf(accountId), undefined, options);
    },
    people: (page, options) => get(`${root}/people`, page, options),
    async createReset(personId, options = {}) {
      const path = `${root}/people/${personId}/reset`;
      return (await connection.post<ResetLink>(path, {}, options)).body;
    },
    async createEmailLink(personId, email, options = {}) {
      const path = `${root}/people/${personId}/email`;
      return (await connection.post<EmailLink>(path, { email }, options)).body;
    },
    serviceHealth: (options) => get(`${service}/health`, {}, options),
    serviceFindings: (options) => get(`${service}/findings`, {}, options),
    serviceLimits: (options) => get(`${service}/limits`, {}, options),
    serviceAudit: (parameters, options) => get(`${service}/audit`, parameters, options),
  };
}
