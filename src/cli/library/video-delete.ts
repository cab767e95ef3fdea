import { accepted } from '../../operations/refusal-faults.ts';
import { accessKeyOption, accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const videoDelete: Verb = {
  words: 'video delete',
  summary: 'Delete a video, also from all packages; its statistics are kept',
  options: {
    account: accountOption,
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accessKey = given.text('access-key');
      accepted(await catalog.videos.delete(given.id('account'), accessKey));
      return { json: { accessKey }, lines: [`Deleted video ${accessKey}`] };
    }),
};
