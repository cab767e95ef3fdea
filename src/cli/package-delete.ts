import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const packageDelete: Verb = {
  words: 'package delete',
  summary: 'Delete a package; its videoKeys are retired, its statistics are kept',
  options: {
    account: accountOption,
    package: requiredOption('Package, by its number', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const packageId = given.id('package');
      await catalog.packages.delete(given.id('account'), packageId);
      return { json: { packageId }, lines: [`Package ${packageId} is deleted`] };
    }),
};
