import { accepted } from '../../operations/refusal-faults.ts';
import { jsonOption, requiredOption } from '../runner/options.ts';
import { withNewCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

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
