import { jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const accountList: Verb = {
  words: 'account list',
  summary: 'List the accounts',
  options: { json: jsonOption },
  run: (_given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accountList = await catalog.accounts.list();
      const lines = accountList.map(
        ({ accountId, name, timeZone }) => `${accountId}\t${name}\t${timeZone}`,
      );
      return { json: { accountList }, lines };
    }),
};
