/** The service as a whole, for its operators; what is in accounts is not in it. */
import type { CatalogParts } from '../../catalog/catalog.ts';
import {
  AccountClosure,
  ServiceAccountList,
  ServiceAccountPath,
  ServiceFindings,
  ServiceHealth,
  ServiceLimits,
} from '../../wire/management/service.ts';
import { PageRequest } from '../../wire/management-messages.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';

const url = '/manage/v1/service';
const closureUrl = `${url}/accounts/:accountId/closure`;

export const service = [
  defineOperation({
    ...{ method: 'GET', url: `${url}/accounts`, operationId: 'serviceAccounts' },
    role: 'operator',
    summary: 'List all accounts of the service, as an operator',
    description: 'Those that are closed too.',
    query: PageRequest,
    answers: { 200: ServiceAccountList },
    run: async ({ catalog, query }) => {
      const accounts = await catalog.accounts.list();
      const records = accounts.map(({ accountId, name, timeZone, closedAt }) => ({
        ...{ accountId, name, timeZone, closedAt: closedAt?.toISOString() ?? null },
      }));
      return paginate(records, query);
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: closureUrl, operationId: 'closeAccount' },
    role: 'operator',
    summary: 'Close an account, as an operator',
    description:
      'Its keys, members, shares and players are turned away from then on, on other nodes within ' +
      'a second, and its media and pictures are no longer served; whoever is a member nowhere ' +
      'else is signed out, and its alerts and reports rest. What is stored stays until it is ' +
      'erased, and the account can be opened again.',
    path: ServiceAccountPath,
    body: AccountClosure,
    answers: { 204: null },
    audit: ['ACCOUNT_CLOSED'],
    run: ({ catalog, path: { accountId }, body: { name } }) => close(catalog, accountId, name),
    commands: [
      {
        words: 'account close',
        summary: 'Close an account: its keys, members and players are turned away, its data stays',
        options: {
          name: required('name', 'Name of the account, so that no other is closed', 'NAME'),
        },
        run: async ({ accountId, catalog, body: { name } }) => {
          await close(catalog, accountId, name);
          const how = `playmeter account reopen --account ${accountId}`;
          return { json: { accountId }, lines: [`Closed account ${accountId}; undo with: ${how}`] };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'DELETE', url: closureUrl, operationId: 'reopenAccount' },
    role: 'operator',
    summary: 'Open an account that was closed, as an operator',
    description: 'With the keys, members and shares that it had.',
    path: ServiceAccountPath,
    answers: { 204: null },
    audit: ['ACCOUNT_REOPENED'],
    run: async ({ catalog, path }) => {
      accepted(await catalog.accounts.reopen(path.accountId));
    },
    commands: [
      {
        words: 'account reopen',
        summary: 'Open an account that was closed, with the keys and members that it had',
        options: {},
        run: async ({ accountId, catalog }) => {
          accepted(await catalog.accounts.reopen(accountId));
          return { json: { accountId }, lines: [`Account ${accountId} is open again`] };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'GET', url: `${url}/health`, operationId: 'serviceHealth' },
    role: 'operator',
    summary: 'Get the health of the node that answers, as an operator',
    description: 'What `/readyz` says, with the reasons, and the version.',
    answers: { 200: ServiceHealth },
    serve: ({ service }) => service.state.health(),
  }),

  defineOperation({
    ...{ method: 'GET', url: `${url}/findings`, operationId: 'serviceFindings' },
    role: 'operator',
    summary: 'Get the findings of doctor on the node that answers, as an operator',
    description:
      'It may take half a minute. One examination runs at a time, and its findings are answered ' +
      'for a minute.',
    answers: { 200: ServiceFindings },
    serve: ({ service }) => service.state.examine(),
  }),

  defineOperation({
    ...{ method: 'GET', url: `${url}/limits`, operationId: 'serviceLimits' },
    role: 'operator',
    summary: 'Get the limits of requests, and how often they were reached, as an operator',
    answers: { 200: ServiceLimits },
    serve: ({ service }) => service.state.limits(),
  }),
];

async function close(
  { accounts }: Pick<CatalogParts, 'accounts'>,
  accountId: number,
  name: string,
): Promise<void> {
  const account = found(await accounts.find(accountId), 'NO_ACCOUNT');
  if (account.name !== name) {
    const detail = 'must be the name of the account that is to be closed';
    throw parameterFault([{ parameter: 'name', detail }]);
  }
  accepted(await accounts.close(accountId));
}
