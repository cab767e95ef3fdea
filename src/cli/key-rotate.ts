import { accepted } from '../managing/accepted.ts';
import { overlapLimitHours } from '../wire/managing.ts';
import { WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

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
