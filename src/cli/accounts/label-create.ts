import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const labelCreate: Verb = {
  words: 'label create',
  summary: 'Declare a label, under which beacons may report values of your own',
  options: {
    account: accountOption,
    name: requiredOption('Its name in beacons: letters, digits, - and _', 'NAME'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ labels }) => {
      const created = await labels.create(given.id('account'), given.text('name'));
      const { labelId, name } = accepted(created);
      return { json: { labelId }, lines: [`Label ${labelId}: ${name}`] };
    }),
};
