import { accessKeyOption, accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const packageRemove: Verb = {
  words: 'package remove',
  summary: 'Take a video out of a package; its videoKey is retired, its statistics are kept',
  options: {
    account: accountOption,
    package: requiredOption('Package, by its number', 'ID'),
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const accessKey = given.text('access-key');
      const packageId = given.id('package');
      await catalog.publications.retire({ accountId: given.id('account'), packageId, accessKey });
      const line = `Video ${accessKey} is no longer in package ${packageId}`;
      return { json: { packageId, accessKey }, lines: [line] };
    }),
};
