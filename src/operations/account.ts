import type { Account } from '../catalog/catalog.ts';
import { mostFactsMonths } from '../vocabulary/erasures.ts';
import { viewerModeNames } from '../vocabulary/viewers.ts';
import { Me } from '../wire/management/me.ts';
import { AccountChanges, AccountRecord } from '../wire/management-messages.ts';
import { textReader } from '../wire/message-check.ts';
import { parameterFault } from '../wire/parameters.ts';
import { optional, wholeNumberReader } from './command-options.ts';
import { defineOperation } from './operation.ts';
import { accepted, found } from './refusal-faults.ts';

const url = '/manage/v1/account';
const answers = { 200: AccountRecord };

export const account = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'account' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get the account of the key',
    answers,
    run: async ({ accountId, catalog }) =>
      toRecord(found(await catalog.accounts.find(accountId), 'NO_ACCOUNT')),
  }),

  defineOperation({
    ...{ method: 'PATCH', url, operationId: 'changeAccount' },
    role: 'manager',
    summary: 'Change the settings of the account',
    description:
      'A new time zone applies to all statistics from then on, for past days too: their plays ' +
      'move to dates and hours in the new zone. Set `takesUnsealed` if your apps write `uid` ' +
      'or `cs` themselves; then anybody who guesses the ids of a video can report plays of it ' +
      'in a player log. A new value of `viewers` applies to playback that is reported ' +
      'from then on, within a second on all nodes; what was collected before stays as it is. ' +
      'With a smaller `factsMonths`, older facts are erased within an hour, for good.',
    body: AccountChanges,
    answers,
    audit: ['ACCOUNT_CHANGED'],
    run: async ({ accountId, catalog, body }) =>
      toRecord(accepted(await catalog.accounts.change(accountId, body))),
    commands: [
      {
        words: 'account change',
        summary: 'Change the name, time zone and other settings of an account',
        options: {
          name: {
            ...optional('name', 'Name of the account', 'NAME'),
            read: textReader(
              AccountChanges.properties.name,
              'name',
              'must be 1 to 200 characters, without control characters',
            ),
          },
          'time-zone': {
            ...optional('timeZone', 'IANA time zone for its dates and hours', 'ZONE'),
            read: textReader(
              AccountChanges.properties.timeZone,
              'timeZone',
              'must be an IANA time zone such as Asia/Seoul',
            ),
          },
          'unsealed-sessions': {
            ...optional(
              'takesUnsealed',
              'Whether to count player-log sessions whose uid and cs this service did not issue',
              'take|refuse',
            ),
            read: eitherReader('takesUnsealed', 'take', 'refuse'),
          },
          viewers: optional('viewers', 'How to tell viewers apart', viewerModeNames.join('|')),
          'facts-months': {
            ...optional(
              'factsMonths',
              'For how many whole months single facts are kept; older ones are erased',
              'N',
            ),
            read: wholeNumberReader('factsMonths', mostFactsMonths, 'must not be more than'),
          },
          sums: {
            ...optional(
              'keepsSums',
              'What becomes of sums when facts are erased by age',
              'keep|erase',
            ),
            read: eitherReader('keepsSums', 'keep', 'erase'),
          },
        },
        show: (account) => {
          const { accountId, name, timeZone, takesUnsealed, viewers, factsMonths, keepsSums } =
            account;
          const unsealed = takesUnsealed ? ', takes unsealed sessions' : '';
          const sums = keepsSums ? 'kept' : 'erased with them';
          const kept = `, viewers: ${viewers}, facts: ${factsMonths} months, sums: ${sums}`;
          const lines = [`Account ${accountId}: ${name} (${timeZone})${unsealed}${kept}`];
          return { json: account, lines };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/me', operationId: 'me' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get the address and country that this request comes from',
    description:
      'Shows whether the proxies in front of the service are configured well: send it from a ' +
      'device whose address you know, by the way that players take.',
    answers: { 200: Me },
    serve: async ({ service }) => service.describeSender(),
  }),
];

/** Reads one of two words: whether it is the first. */
function eitherReader(parameter: string, yes: string, no: string) {
  return (text: string): boolean => {
    if (text === yes || text === no) return text === yes;
    throw parameterFault([{ parameter, detail: `must be ${yes} or ${no}` }]);
  };
}

function toRecord({ accountId, name, timeZone, takesUnsealed, ...account }: Account) {
  const { viewers, factsMonths, keepsSums } = account;
  return { accountId, name, timeZone, takesUnsealed, viewers, factsMonths, keepsSums };
}
