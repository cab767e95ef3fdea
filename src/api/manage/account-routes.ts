import type { FastifyInstance } from 'fastify';
import type { Account } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { AccountChanges, AccountRecord } from '../../wire/managing.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';

const url = '/manage/v1/account';

export function addAccountRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'account',
      summary: 'The account of the key',
      answers: { 200: AccountRecord },
    },
    async ({ caller, catalog }) => {
      const account = await catalog.accounts.find(caller.accountId);
      assert(account, 'a key has an account');
      return { status: 200, body: recordOf(account) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'PATCH',
      url,
      operationId: 'changeAccount',
      summary: 'Change the settings of the account',
      description:
        'Another time zone holds for all statistics asked from then on, also for those of days ' +
        'past: they are counted again by its dates and hours.',
      body: AccountChanges,
      answers: { 200: AccountRecord },
    },
    async ({ caller, catalog, body }) => ({
      status: 200,
      body: recordOf(await catalog.accounts.change(caller.accountId, body)),
    }),
  );
}

function recordOf({ accountId, name, timeZone }: Account) {
  return { accountId, name, timeZone };
}
