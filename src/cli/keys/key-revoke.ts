import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const keyRevoke: Verb = {
  words: 'key revoke',
  summary: 'Revoke an API key; it stops working within a second',
  options: {
    account: accountOption,
    key: requiredOption('Key id, as shown by key list', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const keyId = given.id('key');
      accepted(await catalog.keys.revoke({ accountId: given.id('account'), keyId }));
      return { json: { keyId }, lines: [`Revoked key ${keyId}`] };
    }),
};
