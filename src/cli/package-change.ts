import { WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const packageChange: Verb = {
  words: 'package change',
  summary: 'Change a package, or from which sites its playback is taken',
  options: {
    account: accountOption,
    package: requiredOption('Package, by its number', 'ID'),
    name: optionalOption('Name of the package', 'P'),
    type: optionalOption('Kind of package, in your own words', 'TYPE'),
    'allowed-origins': optionalOption(
      'Sites from which playback is taken, with commas between; empty: from all',
      'LIST',
    ),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const changes = {
        ...(given.has('name') ? { packageName: given.text('name') } : {}),
        ...(given.has('type') ? { packageType: given.text('type') } : {}),
        ...(given.has('allowed-origins')
          ? { allowedOrigins: listed(given.text('allowed-origins')) }
          : {}),
      };
      if (Object.keys(changes).length === 0) throw new WrongUsage('nothing was given to change');
      const accountId = given.id('account');
      const after = await catalog.packages.change(accountId, given.id('package'), changes);
      const { packageId, packageName, packageType, allowedOrigins } = after;
      const sites = allowedOrigins.length === 0 ? 'all sites' : allowedOrigins.join(', ');
      return {
        json: { packageId, packageName, packageType, allowedOrigins },
        lines: [`Package ${packageId}: ${packageName} (${packageType}), from ${sites}`],
      };
    }),
};

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
