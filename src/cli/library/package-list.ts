import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const packageList: Verb = {
  words: 'package list',
  summary: 'List the packages of an account',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const packages = await catalog.packages.list(given.id('account'));
      const packageList = packages.map(({ packageId, packageName, packageType }) => ({
        packageId,
        packageName,
        packageType,
      }));
      const lines = packageList.map((one) => Object.values(one).join('\t'));
      return { json: { packageList }, lines };
    }),
};
