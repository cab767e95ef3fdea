import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const packageCreate: Verb = {
  words: 'package create',
  summary: 'Create a distribution package',
  options: {
    account: accountOption,
    name: requiredOption('Name of the package', 'P'),
    type: optionalOption('Kind of package, in your own words (default: VOD)', 'TYPE'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const created = await catalog.packages.create(given.id('account'), {
        packageName: given.text('name'),
        ...(given.has('type') ? { packageType: given.text('type') } : {}),
      });
      const { packageId, packageName, packageType } = created;
      const lines = [`Package ${packageId}: ${packageName} (${packageType})`];
      return { json: { packageId }, lines };
    }),
};
