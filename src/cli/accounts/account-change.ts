import { accepted } from '../../operations/refusal-faults.ts';
import { mostFactsMonths } from '../../vocabulary/erasures.ts';
import { type ViewerMode, viewerModeNames } from '../../vocabulary/viewers.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const accountChange: Verb = {
  words: 'account change',
  summary: 'Change the name, time zone and other settings of an account',
  options: {
    account: accountOption,
    name: optionalOption('Name of the account', 'NAME'),
    'time-zone': optionalOption('IANA time zone for its dates and hours', 'ZONE'),
    'unsealed-sessions': optionalOption(
      'Whether to count player-log sessions whose uid and cs this service did not issue',
      'take|refuse',
    ),
    viewers: optionalOption('How to tell viewers apart', viewerModeNames.join('|')),
    'facts-months': optionalOption(
      'For how many whole months single facts are kept; older ones are erased',
      'N',
    ),
    sums: optionalOption('What becomes of sums when facts are erased by age', 'keep|erase'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const changes = {
        ...(given.has('name') ? { name: given.text('name') } : {}),
        ...(given.has('time-zone') ? { timeZone: given.text('time-zone') } : {}),
        ...(given.has('unsealed-sessions')
          ? { takesUnsealed: readUnsealed(given.text('unsealed-sessions')) }
          : {}),
        ...(given.has('viewers') ? { viewers: readViewers(given.text('viewers')) } : {}),
        ...(given.has('facts-months') ? { factsMonths: readMonths(given.id('facts-months')) } : {}),
        ...(given.has('sums') ? { keepsSums: readSums(given.text('sums')) } : {}),
      };
      if (Object.keys(changes).length === 0)
        throw new WrongUsage('give at least one option to change');
      const account = accepted(await catalog.accounts.change(given.id('account'), changes));
      const { accountId, name, timeZone, takesUnsealed, viewers, factsMonths, keepsSums } = account;
      const unsealed = takesUnsealed ? ', takes unsealed sessions' : '';
      const sums = keepsSums ? 'for good' : 'as long';
      const kept = `, viewers: ${viewers}, facts: ${factsMonths} months, sums: ${sums}`;
      const lines = [`Account ${accountId}: ${name} (${timeZone})${unsealed}${kept}`];
      const settings = { takesUnsealed, viewers, factsMonths, keepsSums };
      return { json: { accountId, name, timeZone, ...settings }, lines };
    }),
};

function readViewers(text: string): ViewerMode {
  const mode = viewerModeNames.find((one) => one === text);
  if (mode) return mode;
  throw new WrongUsage(`--viewers must be one of ${viewerModeNames.join(', ')}`);
}

function readMonths(months: number): number {
  if (months <= mostFactsMonths) return months;
  throw new WrongUsage(`--facts-months must not be more than ${mostFactsMonths}`);
}

function readSums(text: string): boolean {
  if (text === 'keep' || text === 'erase') return text === 'keep';
  throw new WrongUsage('--sums must be keep or erase');
}

function readUnsealed(text: string): boolean {
  if (text === 'take' || text === 'refuse') return text === 'take';
  throw new WrongUsage('--unsealed-sessions must be take or refuse');
}
