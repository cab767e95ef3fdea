import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const labelChange: Verb = {
  words: 'label change',
  summary: 'Rename a label, with all values that were collected under it',
  options: {
    account: accountOption,
    label: requiredOption('Label id', 'ID'),
    name: requiredOption('Its new name in beacons', 'NAME'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ labels }) => {
      const label = { accountId: given.id('account'), labelId: given.id('label') };
      const { labelId, name } = accepted(await labels.rename(label, given.text('name')));
      return { json: { labelId }, lines: [`Label ${labelId}: ${name}`] };
    }),
};
