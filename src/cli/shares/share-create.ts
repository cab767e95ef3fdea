import { accepted } from '../../operations/refusal-faults.ts';
import { pathOfShare } from '../../operations/shares.ts';
import { declaredLabels } from '../../query/parse/declared-labels.ts';
import { readShare } from '../../query/shares/share-parser.ts';
import { ShareFields } from '../../wire/management/shares.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { readLastDay } from '../runner/last-day.ts';
import { fieldsFrom, namingOptions, type Readers, readTexts } from '../runner/message-options.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

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

const readers: Readers = {
  packageId: (given, option) => given.id(option),
  lastDays: (given, option) => given.id(option),
  origins: readTexts,
  expiresAt: (given, option) => readLastDay(given.text(option)).toISOString(),
};

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
    'last-days': optionalOption('Instead of --from and --to: the last N days, today included', 'N'),
    compare: optionalOption('Also show days before: none (default), previous, weekdays, year', 'C'),
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
      const named = fieldsFrom(given, fields, readers);
      const read = namingOptions(fields, () => checkMessage(ShareFields, named));
      const maker = { accountId, labels: await declaredLabels(labels, accountId) };
      const made = await shares.create(namingOptions(fields, () => readShare(read, maker)));
      const { share, token } = namingOptions(fields, () => accepted(made));
      const link = parts.content.publicUrl.replace(/\/+$/, '') + pathOfShare(token);
      return { json: { shareId: share.shareId, link }, lines: [link] };
    }),
};
