import { accepted } from '../../operations/refusal-faults.ts';
import { signingModes } from '../../vocabulary/view-token.ts';
import { PackageChanges } from '../../wire/library/video-fields.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const packageChange: Verb = {
  words: 'package change',
  summary: 'Change a package, and which playback it counts',
  options: {
    account: accountOption,
    package: requiredOption('Package id', 'ID'),
    name: optionalOption('Name of the package', 'P'),
    type: optionalOption('Kind of package, in your own words', 'TYPE'),
    'allowed-origins': optionalOption(
      'Sites whose playback is counted, separated by commas; empty: all',
      'LIST',
    ),
    signing: optionalOption(
      'Without a valid token, playback is counted (open), set apart (prefer), refused (require)',
      signingModes.join('|'),
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
        ...(given.has('signing') ? { signing: given.text('signing') } : {}),
      };
      if (Object.keys(changes).length === 0)
        throw new WrongUsage('give at least one option to change');
      const fields = checkMessage(PackageChanges, changes);
      const accountId = given.id('account');
      const after = accepted(await catalog.packages.change(accountId, given.id('package'), fields));
      const { packageId, packageName, packageType, allowedOrigins, signing } = after;
      const sites = allowedOrigins.length === 0 ? 'all sites' : allowedOrigins.join(', ');
      return {
        json: { packageId, packageName, packageType, allowedOrigins, signing },
        lines: [
          `Package ${packageId}: ${packageName} (${packageType}), counts ${sites}`,
          `Signed views: ${signing}`,
        ],
      };
    }),
};

function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
