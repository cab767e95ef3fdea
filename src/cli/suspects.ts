/** Playback that was set apart: listed, and decided about. */
import type { Verdict } from '../catalog/catalog.ts';
import type { QuarantineReview } from '../collect/abuse/quarantine.ts';
import { dayMs, toUtcDay } from '../lib/time/utc-day.ts';
import { counted } from '../lib/values/counted.ts';
import { accepted } from '../operations/refusal-faults.ts';
import { suspectRecords } from '../operations/suspects.ts';
import { checkRange } from '../query/parse/range-parser.ts';
import { Fault } from '../vocabulary/faults.ts';
import type { SuspectRecord } from '../wire/management/suspect-messages.ts';
import { parameterFault } from '../wire/parameters.ts';
import { startBar } from './runner/input.ts';
import { accountOption, jsonOption, optionalOption } from './runner/options.ts';
import { operator } from './runner/with-catalog.ts';
import type { Parts, Verb } from './verb.ts';

const usualDays = 30;

export const suspectsList: Verb = {
  words: 'suspects list',
  summary: 'List playback that was set apart as unusual, and the verdicts on it',
  options: {
    account: accountOption,
    from: optionalOption(`First day of the playback (UTC); default: ${usualDays} days ago`, 'DATE'),
    to: optionalOption('Last day of the playback (UTC); default: today', 'DATE'),
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    const nowMs = parts.clock.now();
    const lastDay = given.day('to') ?? toUtcDay(nowMs);
    const firstDay = given.day('from') ?? toUtcDay(nowMs - usualDays * dayMs);
    const errors = checkRange(firstDay, lastDay).map(({ parameter, detail }) => ({
      parameter: parameter === 'sdate' ? 'from' : 'to',
      detail,
    }));
    if (errors.length > 0) throw parameterFault(errors);
    return withSuspects(parts, async ({ catalog, suspects }) => {
      if (!(await catalog.accounts.find(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const found = await suspects.list(catalog, { accountId, firstDay, lastDay });
      const suspectList = await suspectRecords(catalog, accountId, found);
      return { json: { suspectList }, lines: suspectList.map(describe) };
    });
  },
};

function describe({ suspect, views, videos, plays, playMs, ...known }: SuspectRecord): string {
  const sums = [counted(plays, 'play'), `${Math.floor(playMs / 1_000)} s`];
  const of = [counted(views, 'view'), known.videoTitle || counted(videos, 'video')];
  return [suspect, ...sums, ...of, known.verdict ?? 'not decided'].join('\t');
}

export const suspectsAccept = decidingVerb(
  'accept',
  'accepted',
  'Count playback that was set apart',
);
export const suspectsRefuse = decidingVerb(
  'refuse',
  'refused',
  'Do not count playback that was set apart; removes it if it was accepted',
);

function decidingVerb(word: string, verdict: Verdict, summary: string): Verb {
  return {
    words: `suspects ${word}`,
    summary,
    options: {
      account: accountOption,
      'suspect...': {
        type: 'positional',
        description: 'Ids, as shown by suspects list',
        required: true,
      },
      json: jsonOption,
    },
    run: (given, parts) =>
      withSuspects(parts, async ({ catalog, suspects }) => {
        const accountId = given.id('account');
        const names = given.texts('suspect...');
        const bar = startBar(names.length);
        try {
          for (const suspect of names) {
            accepted(await suspects.decide(catalog, { accountId, suspect }, verdict));
            bar?.increment();
          }
        } finally {
          bar?.stop();
        }
        const lines = names.map((suspect) => `${suspect} is ${verdict}`);
        return { json: { verdict, suspects: names }, lines };
      }),
  };
}

/** Opens the stores for one verb about suspects; the service may be running. */
async function withSuspects<Value>(
  parts: Parts,
  use: (desk: Pick<QuarantineReview, 'catalog' | 'suspects'>) => Promise<Value>,
): Promise<Value> {
  const { catalog, suspects, close } = await parts.openSuspects();
  try {
    return await use({ catalog: catalog.as(operator()), suspects });
  } finally {
    await close();
  }
}
