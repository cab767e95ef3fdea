import { accepted } from '../../operations/refusal-faults.ts';
import { accessKeyOption, accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const packagePause = serviceVerb('pause', 'Pause a video in a package', 'N');
export const packageResume = serviceVerb('resume', 'Resume a paused video', 'Y');

function serviceVerb(word: string, summary: string, serviceAble: 'Y' | 'N'): Verb {
  return {
    words: `package ${word}`,
    summary,
    options: {
      account: accountOption,
      package: requiredOption('Package id', 'ID'),
      'access-key': accessKeyOption,
      json: jsonOption,
    },
    run: (given, parts) =>
      withCatalog(parts, async (catalog) => {
        const name = {
          accountId: given.id('account'),
          packageId: given.id('package'),
          accessKey: given.text('access-key'),
        };
        const { videoKey } = accepted(await catalog.publications.setServiceAble(name, serviceAble));
        return { json: { videoKey, serviceAble }, lines: [`${videoKey}: ${word}d`] };
      }),
  };
}
