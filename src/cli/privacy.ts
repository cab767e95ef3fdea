import { privacySheet } from '../managing/privacy-sheet.ts';
import { jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const privacy: Verb = {
  words: 'privacy',
  summary: 'Print what is kept of viewers, as this service is configured, in Markdown',
  options: { json: jsonOption },
  run: (_given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accounts = [];
      for (const account of await catalog.accounts.list()) {
        const { accountId, name, timeZone, viewers, factsMonths } = account;
        const declared = await catalog.labels.list(accountId);
        const labels = declared.map((label) => label.name);
        accounts.push({ accountId, name, timeZone, viewers, factsMonths, labels });
      }
      const lines = privacySheet(accounts, parts.keeping);
      return { json: { accounts, keeping: parts.keeping }, lines };
    }),
};
