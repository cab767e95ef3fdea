import { accepted } from '../../operations/refusal-faults.ts';
import { overlapLimitHours } from '../../wire/management-messages.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

const hourMs = 3_600_000;

export const keyRotate: Verb = {
  words: 'key rotate',
  summary: 'Replace a key; the old one keeps working for a while',
  options: {
    account: accountOption,
    key: requiredOption('Id of the key to replace, as shown by key list', 'ID'),
    'overlap-hours': {
      type: 'string',
      description: 'Hours that the old key keeps working; at most a year',
      valueHint: 'H',
      default: '24',
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const overlapHours = given.number('overlap-hours');
    if (overlapHours < 0 || overlapHours > overlapLimitHours) {
      throw new WrongUsage(`--overlap-hours must be 0 to ${overlapLimitHours}`);
    }
    const name = { accountId: given.id('account'), keyId: given.id('key') };
    return withCatalog(parts, async (catalog) => {
      const { secret } = accepted(
        await catalog.keys.rotate(name, Math.round(overlapHours * hourMs)),
      );
      return { json: { key: secret }, lines: [secret] };
    });
  },
};
