import { accepted } from '../managing/accepted.ts';
import { pathOfShare } from '../managing/shares.ts';
import { declaredLabels } from '../report/filters/declared-labels.ts';
import { readShare } from '../report/shared/read-share.ts';
import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { ShareFields } from '../wire/shares.ts';
import type { Arguments } from './arguments.ts';
import { readLastDay } from './last-day.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

/** The field of each option. */
const fields = {
  name: 'name',
  'access-key': 'accessKey',
  package: 'packageId',
  filter: 'filters',
  from: 'sdate',
  to: 'edate',
  'last-days': 'lastDays',
  compare: 'compare',
  'time-zone': 'timeZone',
  embed: 'origins',
  expires: 'expiresAt',
} as const;

export const shareCreate: Verb = {
  words: 'share create',
  summary: 'Make a link that shows one view of the dashboard; it is shown only once',
  options: {
    account: accountOption,
    name: requiredOption('Its name, which the page shows as its title', 'NAME'),
    'access-key': optionalOption('The video it shows; default: the overview', 'K'),
    package: optionalOption('Only playback in this package', 'ID'),
    filter: optionalOption('Only where these conditions hold, as in query', 'F'),
    from: optionalOption('First day', 'DATE'),
    to: optionalOption('Last day', 'DATE'),
    'last-days': optionalOption('In place of both: so many days, of which today is the last', 'N'),
    compare: optionalOption('Also show the days before: none (default), previous, year', 'C'),
    'time-zone': optionalOption("Zone of days and hours; default: the account's", 'ZONE'),
    embed: optionalOption('Sites whose pages may embed it, separated by commas', 'ORIGINS'),
    expires: optionalOption(
      'Last day (UTC) on which it works, or the instant at which it expires',
      'DATE',
    ),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ shares, labels }) => {
      const accountId = given.id('account');
      const read = byOptions(() => checkMessage(ShareFields, fieldsOf(given)));
      const maker = { accountId, labels: await declaredLabels(labels, accountId) };
      const made = await shares.create(byOptions(() => readShare(read, maker)));
      const { share, token } = byOptions(() => accepted(made));
      const link = parts.content.publicUrl.replace(/\/+$/, '') + pathOfShare(token);
      return { json: { shareId: share.shareId, link }, lines: [link] };
    }),
};

function fieldsOf(given: Arguments): Record<string, unknown> {
  const read: Partial<Record<string, () => unknown>> = {
    package: () => given.id('package'),
    'last-days': () => given.id('last-days'),
    embed: () =>
      given
        .text('embed')
        .split(',')
        .map((text) => text.trim()),
    expires: () => readLastDay(given.text('expires')).toISOString(),
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([option, field]) =>
      given.has(option) ? [[field, read[option]?.() ?? given.text(option)]] : [],
    ),
  );
}

/** Names the options in place of the fields. */
function byOptions<Value>(run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Fault) || error.errors === undefined) throw error;
    const errors = error.errors.map(({ parameter, detail }) => {
      const name = parameter.split(/[./]/)[0];
      const option = Object.entries(fields).find(([, field]) => field === name)?.[0];
      return { parameter: option === undefined ? parameter : `--${option}`, detail };
    });
    const message = errors.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ');
    throw new Fault(error.code, message, { errors });
  }
}
