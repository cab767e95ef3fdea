import { accepted } from '../managing/accepted.ts';
import { jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withNewCatalog } from './with-catalog.ts';

export const accountCreate: Verb = {
  words: 'account create',
  summary: 'Create an account',
  options: {
    name: requiredOption('Name of the account', 'NAME'),
    'time-zone': {
      type: 'string',
      description: 'IANA time zone for its dates and hours',
      valueHint: 'ZONE',
      default: 'UTC',
    },
    json: jsonOption,
  },
  run: (given, parts) =>
    withNewCatalog(parts, async (catalog) => {
      const account = accepted(
        await catalog.accounts.create({
          name: given.text('name'),
          timeZone: given.text('time-zone'),
        }),
      );
      const { accountId, name, timeZone } = account;
      return { json: { accountId }, lines: [`Account ${accountId}: ${name} (${timeZone})`] };
    }),
};
