import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const keyChange: Verb = {
  words: 'key change',
  summary: 'Rename a key',
  options: {
    account: accountOption,
    key: requiredOption('Key id, as shown by key list', 'ID'),
    name: requiredOption('Name to recognize the key by', 'NAME'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ keys }) => {
      const of = { accountId: given.id('account'), keyId: given.id('key') };
      const { keyId, name } = accepted(await keys.rename(of, given.text('name')));
      return { json: { keyId }, lines: [`Key ${keyId}: ${name}`] };
    }),
};
