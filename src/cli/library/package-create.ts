import { accepted } from '../../operations/refusal-faults.ts';
import { PackageFields } from '../../wire/library/video-fields.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

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
      const fields = checkMessage(PackageFields, {
        packageName: given.text('name'),
        ...(given.has('type') ? { packageType: given.text('type') } : {}),
      });
      const created = accepted(await catalog.packages.create(given.id('account'), fields));
      const { packageId, packageName, packageType } = created;
      const lines = [`Package ${packageId}: ${packageName} (${packageType})`];
      return { json: { packageId }, lines };
    }),
};
