import { privacySheet } from '../../operations/privacy-sheet.ts';
import { jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const privacy: Verb = {
  words: 'privacy',
  summary: 'Print what is kept of viewers, as this service is configured, in Markdown',
  options: { json: jsonOption },
  run: (_given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accounts = [];
      for (const account of await catalog.accounts.list()) {
        const { accountId, name, timeZone, viewers, factsMonths, keepsSums } = account;
        const declared = await catalog.labels.list(accountId);
        const labels = declared.map((label) => label.name);
        const alerts = await catalog.rules.list(accountId, 'alert');
        const reports = await catalog.rules.list(accountId, 'report');
        const links = await catalog.shares.list(accountId);
        const shares = links.filter(
          ({ expiresAt }) => expiresAt === undefined || expiresAt.getTime() > parts.clock.now(),
        ).length;
        const rules = alerts.length + reports.length;
        const about = { accountId, name, timeZone, viewers, factsMonths, keepsSums };
        accounts.push({ ...about, labels, rules, shares });
      }
      const lines = privacySheet(accounts, parts.keeping);
      return { json: { accounts, keeping: parts.keeping }, lines };
    }),
};
