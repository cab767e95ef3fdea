import { WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

const hourMs = 3_600_000;
const overlapLimitHours = 8_784;

export const keyRotate: Verb = {
  words: 'key rotate',
  summary: 'Create a key in place of another, which works on for a while',
  options: {
    account: accountOption,
    key: requiredOption('Key to replace, by its number in the list', 'ID'),
    'overlap-hours': {
      type: 'string',
      description: 'How long the old key works on, in hours; at most a year',
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
      const { secret } = await catalog.keys.rotate(name, Math.round(overlapHours * hourMs));
      return { json: { key: secret }, lines: [secret] };
    });
  },
};
