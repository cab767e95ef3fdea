/**
 * What is kept of viewers, as a service is configured: answers to what the CNIL asks of audience
 * measurement that needs no consent (article 82 of the French data protection act; its guidelines
 * and recommendation of 17 September 2020).
 */
import { type ViewerMode, viewerModes } from '../vocabulary/viewers.ts';

export interface PrivacyAccount {
  readonly accountId: number;
  readonly name: string;
  readonly timeZone: string;
  readonly viewers: ViewerMode;
  readonly factsMonths: number;
  /** Whether sums stay when facts are erased by their age. */
  readonly keepsSums: boolean;
  readonly labels: readonly string[];
  /** Alerts and reports, which go to webhooks and mail addresses. */
  readonly rules: number;
  /** Links that show statistics. */
  readonly shares: number;
}

/** For how long what is kept, where countries come from, and where what goes by itself. */
export interface RetentionPolicy {
  readonly auditDays: number;
  readonly snapshotSeconds: number;
  readonly countrySource: string;
  /** Where files of single facts go, and of which accounts. */
  readonly exports: { readonly to: string; readonly accounts: string } | undefined;
}

export function privacySheet(
  accounts: readonly PrivacyAccount[],
  keeping: RetentionPolicy,
): string[] {
  return [
    '# What this service keeps of viewers',
    '',
    ...accounts.flatMap(accountLines),
    '## Answers for the audience measurement exemption',
    '',
    '| question | answer of this service |',
    '|---|---|',
    ...answersFor(accounts, keeping).map(([question, answer]) => `| ${question} | ${answer} |`),
    '',
    'Whether the exemption holds is decided by what you do with the statistics, and is yours to',
    'judge. See docs/privacy.md.',
  ];
}

function accountLines({ accountId, name, timeZone, viewers, labels }: PrivacyAccount): string[] {
  const plain = name.replace(/[\\`*_|<>[\]#]/g, '\\$&');
  return [
    `## Account ${accountId}: ${plain}`,
    '',
    `- Viewers: \`${viewers}\`: ${viewerModes[viewers]}.`,
    `- Days begin at midnight in ${timeZone}.`,
    labels.length === 0
      ? '- Labels: none.'
      : `- Labels, whose values your pages send: ${labels.join(', ')}. Send nothing personal.`,
    '',
  ];
}

function describeMonths(accounts: readonly PrivacyAccount[]): string {
  const months = [...new Set(accounts.map(({ factsMonths }) => factsMonths))];
  const [only] = months;
  if (months.length === 1) return `${only} months`;
  return accounts
    .map(({ accountId, factsMonths }) => `${factsMonths} months in account ${accountId}`)
    .join(', ');
}

function describeSums(accounts: readonly PrivacyAccount[]): string {
  const others = accounts.filter(({ keepsSums }) => !keepsSums).map(({ accountId }) => accountId);
  if (others.length === 0) return 'until you erase them';
  const named = others.map((accountId) => `account ${accountId}`).join(', ');
  return `until you erase them; as long as single facts in ${named}`;
}

/** What leaves the service without being asked for by a key. */
function passedOn(
  accounts: readonly PrivacyAccount[],
  { exports }: RetentionPolicy,
): readonly string[] {
  const thoseWith = (has: (account: PrivacyAccount) => number) =>
    accounts
      .filter((account) => has(account) > 0)
      .map(({ accountId }) => accountId)
      .join(', ');
  const sending = thoseWith(({ rules }) => rules);
  const sharing = thoseWith(({ shares }) => shares);
  return [
    ...(exports
      ? [
          `Single facts, with hashes of viewers, are exported to \`${exports.to}\` ` +
            `(accounts: ${exports.accounts}).`,
        ]
      : []),
    ...(sending ? [`Alerts and reports with sums go to receivers of accounts ${sending}.`] : []),
    ...(sharing ? [`Links show statistics, no single viewer, of accounts ${sharing}.`] : []),
  ];
}

function answersFor(
  accounts: readonly PrivacyAccount[],
  keeping: RetentionPolicy,
): readonly (readonly [question: string, answer: string])[] {
  const { auditDays, snapshotSeconds, countrySource } = keeping;
  const leaving = passedOn(accounts, keeping);
  const named = accounts.filter(({ viewers }) => viewers === 'anonymous' || viewers === 'named');
  const ids = named.map(({ accountId }) => accountId).join(', ');
  return [
    ['Is the purpose only to measure the audience?', 'Yes: statistics of playback, nothing else.'],
    ['On whose behalf?', 'Each account sees its own statistics only.'],
    [
      'Is data combined with other processing, or passed on?',
      leaving.length === 0
        ? 'No: nothing leaves the service but what its accounts ask for with their keys.'
        : leaving.join(' '),
    ],
    [
      'Are people followed across sites or apps?',
      'No: hashes are of one account; the same name or device is another number in another.',
    ],
    [
      'Is anything stored on the device?',
      'Nothing to recognise it by: no cookie, no fingerprint. Reports of the tracker that did ' +
        'not get through wait in local storage for at most 48 hours, with the name of a viewer ' +
        'where the page gave one.',
    ],
    [
      'Is the identifier limited in time?',
      'Anonymous viewers: one day. Its salt is destroyed within 48 hours after the day.',
    ],
    [
      'Can people be named?',
      named.length === 0
        ? 'No account takes names of viewers.'
        : `Accounts ${ids} take names that pages or tokens send, as keyed hashes without an end. ` +
          'Names that pages send need a legal basis of their own; mode `daily` ignores them.',
    ],
    [
      'Are IP addresses kept?',
      'Of viewers, no: the /24 or /48 is hashed, and the country is read, in memory only. A ' +
        'catalog in PostgreSQL holds keyed hashes of addresses for two minutes, to limit ' +
        `requests. The audit keeps addresses of those who change settings, for ${auditDays} days.`,
    ],
    ['How precise is the location?', `The country, by ${countrySource}.`],
    ['Can people object?', 'With `Sec-GPC: 1` or `DNT: 1` no viewer is kept.'],
    [
      'For how long is data kept?',
      `Single facts: ${describeMonths(accounts)}. Sums without viewers: ${describeSums(accounts)}. ` +
        `Answers for further pages: ${snapshotSeconds} seconds.`,
    ],
  ];
}
