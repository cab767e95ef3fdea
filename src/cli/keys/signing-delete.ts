import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const signingDelete: Verb = {
  words: 'signing delete',
  summary: 'Delete a signing key; its tokens stop working within a second',
  options: {
    account: accountOption,
    'signing-key': requiredOption('Id of the signing key, as shown by signing list', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ signingKeys }) => {
      const signingKeyId = given.id('signing-key');
      accepted(await signingKeys.delete({ accountId: given.id('account'), signingKeyId }));
      return { json: { signingKeyId }, lines: [`Deleted signing key ${signingKeyId}`] };
    }),
};
