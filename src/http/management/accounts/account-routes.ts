import type { FastifyInstance } from 'fastify';
import type { Account } from '../../../catalog/catalog.ts';
import { assert } from '../../../lib/assert.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { AccountChanges, AccountRecord } from '../../../wire/management-messages.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/account';

export function addAccountRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'account',
      summary: 'Get the account of the key',
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
        'A new time zone applies to all statistics from then on, for past days too: their plays ' +
        'move to dates and hours in the new zone. Set `takesUnsealed` if your apps write `uid` ' +
        'or `cs` themselves; then anybody who guesses the ids of a video can report plays of it ' +
        'in a player log. A new value of `viewers` applies to playback that is reported ' +
        'from then on, within a second on all nodes; what was collected before stays as it is. ' +
        'With a smaller `factsMonths`, older facts are erased within an hour, for good.',
      body: AccountChanges,
      answers: { 200: AccountRecord },
    },
    async ({ caller, catalog, body }) => ({
      status: 200,
      body: recordOf(accepted(await catalog.accounts.change(caller.accountId, body))),
    }),
  );
}

function recordOf({ accountId, name, timeZone, takesUnsealed, ...account }: Account) {
  const { viewers, factsMonths, keepsSums } = account;
  return { accountId, name, timeZone, takesUnsealed, viewers, factsMonths, keepsSums };
}
