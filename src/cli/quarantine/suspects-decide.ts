import type { Verdict } from '../../catalog/catalog.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { startBar } from '../runner/input.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';
import { withSuspects } from './quarantine-context.ts';

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
