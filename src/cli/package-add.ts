import { accessKeyOption, accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const packageAdd: Verb = {
  words: 'package add',
  summary: 'Put a video into a package; gives the videoKey that players report with',
  options: {
    account: accountOption,
    package: requiredOption('Package, by its number', 'ID'),
    'access-key': accessKeyOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const { videoKey } = await catalog.publications.publish({
        accountId: given.id('account'),
        packageId: given.id('package'),
        accessKey: given.text('access-key'),
      });
      return { json: { videoKey }, lines: [videoKey] };
    }),
};
