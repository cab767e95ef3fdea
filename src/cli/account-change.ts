import { WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, optionalOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const accountChange: Verb = {
  words: 'account change',
  summary: 'Change the name or the time zone of an account',
  options: {
    account: accountOption,
    name: optionalOption('Name of the account', 'N'),
    'time-zone': optionalOption('IANA time zone by which days and hours are told', 'Z'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const changes = {
        ...(given.has('name') ? { name: given.text('name') } : {}),
        ...(given.has('time-zone') ? { timeZone: given.text('time-zone') } : {}),
      };
      if (Object.keys(changes).length === 0) throw new WrongUsage('nothing was given to change');
      const account = await catalog.accounts.change(given.id('account'), changes);
      const { accountId, name, timeZone } = account;
      const lines = [`Account ${accountId}: ${name} (${timeZone})`];
      return { json: { accountId, name, timeZone }, lines };
    }),
};
