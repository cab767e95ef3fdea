/** Accounts as the operator sees them: all of them, whoever owns them. */
import { privacySheet } from '../operations/privacy-sheet.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { jsonOption, requiredOption } from './runner/options.ts';
import { withCatalog, withNewCatalog } from './runner/with-catalog.ts';
import type { Verb } from './verb.ts';

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
