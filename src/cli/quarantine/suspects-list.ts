import type { KnownSuspect } from '../../collect/abuse/quarantine.ts';
import { dayMs, utcDayOf } from '../../lib/time/utc-day.ts';
import { checkRange } from '../../query/parse/question-parser.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { counted } from '../runner/counted.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';
import { withSuspects } from './quarantine-context.ts';

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
    const lastDay = given.has('to') ? given.text('to') : utcDayOf(nowMs);
    const firstDay = given.has('from') ? given.text('from') : utcDayOf(nowMs - usualDays * dayMs);
    const errors = checkRange(firstDay, lastDay).map(({ parameter, detail }) => ({
      parameter: parameter === 'sdate' ? 'from' : 'to',
      detail,
    }));
    if (errors.length > 0) throw parameterFault(errors);
    return withSuspects(parts, async ({ catalog, suspects }) => {
      if (!(await catalog.accounts.find(accountId))) {
        throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
      }
      const suspectList = await suspects.list(catalog, { accountId, firstDay, lastDay });
      return { json: { suspectList: suspectList.map(recordOf) }, lines: suspectList.map(describe) };
    });
  },
};

function recordOf({ fromMs, untilMs, decision, ...suspect }: KnownSuspect) {
  const { verdict = null, at, actor = null } = decision ?? {};
  return {
    ...suspect,
    from: new Date(fromMs),
    until: new Date(untilMs),
    ...{ verdict, decidedAt: at ?? null, decidedBy: actor },
  };
}

function describe({ suspect, views, videos, plays, playMs, decision }: KnownSuspect): string {
  const sums = [counted(plays, 'play'), `${Math.floor(playMs / 1_000)} s`];
  const of = [counted(views, 'view'), counted(videos, 'video')];
  return [suspect, ...sums, ...of, decision?.verdict ?? 'not decided'].join('\t');
}
