import { accepted } from '../../operations/refusal-faults.ts';
import { accessKeyOption, accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const packageRemove: Verb = {
  words: 'package remove',
  summary: 'Remove a video from a package; if added again, it gets the same videoKey',
  options: {
    account: accountOption,
    package: requiredOption('Package id', 'ID'),
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accessKey = given.text('access-key');
      const packageId = given.id('package');
      accepted(
        await catalog.publications.retire({ accountId: given.id('account'), packageId, accessKey }),
      );
      const line = `Video ${accessKey} is no longer in package ${packageId}`;
      return { json: { packageId, accessKey }, lines: [line] };
    }),
};
