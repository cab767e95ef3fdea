import { jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const accountCreate: Verb = {
  words: 'account create',
  summary: 'Create an account',
  options: {
    name: requiredOption('Name of the account', 'NAME'),
    'time-zone': {
      type: 'string',
      description: 'IANA time zone that its dates and hours are those of',
      valueHint: 'ZONE',
      default: 'UTC',
    },
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const account = await catalog.accounts.create({
        name: given.text('name'),
        timeZone: given.text('time-zone'),
      });
      const { accountId, name, timeZone } = account;
      return { json: { accountId }, lines: [`Account ${accountId}: ${name} (${timeZone})`] };
    }),
};
