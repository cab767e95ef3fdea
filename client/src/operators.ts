/** What operators of the service ask and change; each of them is a person who is signed in. */
import type { CallOptions } from './connection.ts';
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
import type { ManagementCalls } from './management-calls.ts';

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

export function operatorsOf({ get, add, send, change, remove }: ManagementCalls): Operators {
  const closureOf = (accountId: number) => `/service/accounts/${accountId}/closure`;
  return {
    serviceAccounts: (page, options) => get('/service/accounts', page, options),
    addAccount: (fields, options) => add('/accounts', fields, options),
    closeAccount: (id, name, options) => change('PUT', closureOf(id), { name }, options),
    reopenAccount: (id, options) => remove(closureOf(id), options),
    people: (page, options) => get('/people', page, options),
    createReset: (id, options) => send(`/people/${id}/reset`, {}, options),
    createEmailLink: (id, email, options) => send(`/people/${id}/email`, { email }, options),
    serviceHealth: (options) => get('/service/health', {}, options),
    serviceFindings: (options) => get('/service/findings', {}, options),
    serviceLimits: (options) => get('/service/limits', {}, options),
    serviceAudit: (parameters, options) => get('/service/audit', parameters, options),
  };
}
