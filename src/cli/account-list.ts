import { jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

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
