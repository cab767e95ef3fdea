import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const packageDelete: Verb = {
  words: 'package delete',
  summary: 'Delete a package and retire its videoKeys; statistics are kept',
  options: {
    account: accountOption,
    package: requiredOption('Package id', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const packageId = given.id('package');
      accepted(await catalog.packages.delete(given.id('account'), packageId));
      return { json: { packageId }, lines: [`Deleted package ${packageId}`] };
    }),
};
