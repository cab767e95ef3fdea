import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const labelDelete: Verb = {
  words: 'label delete',
  summary: 'Delete a label; its values are never shown under another name',
  options: {
    account: accountOption,
    label: requiredOption('Label id', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ labels }) => {
      const labelId = given.id('label');
      accepted(await labels.delete({ accountId: given.id('account'), labelId }));
      return { json: { labelId }, lines: [`Deleted label ${labelId}`] };
    }),
};
