/** Accounts as the operator sees them: all of them, whoever owns them. */
import type { Account, NewAccount } from '../catalog/catalog.ts';
import { createColumnNamer, createNameFinder } from '../import/column-names.ts';
import { readCsv } from '../import/csv-records.ts';
import { accept, type Result } from '../lib/result.ts';
import { counted } from '../lib/values/counted.ts';
import { privacySheet } from '../operations/privacy-sheet.ts';
import { accepted, describeRefusal } from '../operations/refusal-faults.ts';
import { Fault } from '../vocabulary/faults.ts';
import { type Arguments, WrongUsage } from './runner/arguments.ts';
import { openInput } from './runner/input.ts';
import { jsonOption, optionalOption } from './runner/options.ts';
import { openRefusalReport } from './runner/refusal-report.ts';
import { withCatalog, withNewCatalog } from './runner/with-catalog.ts';
import type { Outcome, Parts, Verb } from './verb.ts';

/** More would keep the other writers of SQLite waiting for more than a second or two. */
const mostAccountsOfList = 2_000;

const columns = ['name', 'timeZone'];
const nameColumns = createColumnNamer({
  nameOf: createNameFinder(columns),
  known: columns,
  check: (named) => (named.includes('name') ? undefined : 'has no name column'),
});

export const accountCreate: Verb = {
  words: 'account create',
  summary: 'Create an account, or all those of a list',
  options: {
    name: optionalOption('Name of the account', 'NAME'),
    csv: optionalOption(
      'Create those of this CSV list with a header (name, timeZone), or - for standard input',
      'FILE',
    ),
    'time-zone': {
      type: 'string',
      description: 'IANA time zone for its dates and hours; with a list, for rows that name none',
      valueHint: 'ZONE',
      default: 'UTC',
    },
    json: jsonOption,
  },
  run(given, parts) {
    if (given.has('csv') === given.has('name')) throw new WrongUsage('give --name or --csv');
    if (given.has('csv')) return createListed(given, parts);
    return withNewCatalog(parts, async ({ accounts }) => {
      const about = { name: given.text('name'), timeZone: given.text('time-zone') };
      const account = accepted(await accounts.create(about));
      return { json: { accountId: account.accountId }, lines: [describe(account)] };
    });
  },
};

/** All or none, so that whoever mends a list can run it again. */
async function createListed(given: Arguments, parts: Parts): Promise<Outcome> {
  const rows = await readRows(given);
  return withNewCatalog(parts, async ({ accounts }) => {
    const report = openRefusalReport('', parts);
    const wanted: NewAccount[] = [];
    for (const { line, values } of rows) {
      const account = values.ok ? accounts.check(values.value) : values;
      if (account.ok) wanted.push(account.value);
      else report.add({ line, reason: describeRefusal(account.reason) });
    }
    const refused = rows.length - wanted.length;
    if (refused > 0) {
      const those = `${refused} of ${counted(rows.length, 'account')}`;
      throw new Fault('INVALID_PARAMETER', `${those} refused: none was created`);
    }
    const made = accepted(await accounts.createMany(wanted));
    const accountList = made.map(({ accountId, name, timeZone }) => ({
      accountId,
      name,
      timeZone,
    }));
    return { json: { accountList }, lines: made.map(describe) };
  });
}

interface AccountRow {
  readonly line: number;
  readonly values: Result<NewAccount, string>;
}

async function readRows(given: Arguments): Promise<AccountRow[]> {
  const accountOf = ({
    name = '',
    timeZone = given.text('time-zone'),
  }: Readonly<Record<string, unknown>>) => ({
    name: String(name),
    timeZone: String(timeZone),
  });
  const rows: AccountRow[] = [];
  const input = await openInput(given.text('csv'));
  try {
    for await (const { line, values } of readCsv(input.bytes, nameColumns)) {
      if (rows.length === mostAccountsOfList) {
        const most = counted(mostAccountsOfList, 'account');
        throw new Fault('INVALID_PARAMETER', `A list has at most ${most}: divide it`);
      }
      rows.push({ line, values: values.ok ? accept(accountOf(values.value)) : values });
    }
  } finally {
    input.end();
  }
  return rows;
}

function describe({ accountId, name, timeZone }: Account): string {
  return `Account ${accountId}: ${name} (${timeZone})`;
}

export const accountList: Verb = {
  words: 'account list',
  summary: 'List the accounts',
  options: { json: jsonOption },
  run: (_given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accounts = await catalog.accounts.list();
      const accountList = accounts.map(({ closedAt, ...account }) => ({
        ...{ ...account, closedAt: closedAt?.toISOString() ?? null },
      }));
      const lines = accountList.map(({ accountId, name, timeZone, closedAt }) =>
        [accountId, name, timeZone, ...(closedAt === null ? [] : [`closed ${closedAt}`])].join(
          '\t',
        ),
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
