import { accepted } from '../../operations/refusal-faults.ts';
import { drawSigningSecret } from '../../operations/signing-keys.ts';
import { overlapLimitHours } from '../../wire/management-messages.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

const hourMs = 3_600_000;

export const signingRotate: Verb = {
  words: 'signing rotate',
  summary: 'Replace a signing secret; tokens of the old one keep working for a while',
  options: {
    account: accountOption,
    'signing-key': requiredOption('Id of the secret to replace, as shown by signing list', 'ID'),
    'overlap-hours': {
      type: 'string',
      description: 'Hours that tokens of the old secret keep working; at most a year',
      valueHint: 'H',
      default: '48',
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const overlapHours = given.number('overlap-hours');
    if (overlapHours < 0 || overlapHours > overlapLimitHours) {
      throw new WrongUsage(`--overlap-hours must be 0 to ${overlapLimitHours}`);
    }
    const name = { accountId: given.id('account'), signingKeyId: given.id('signing-key') };
    const secret = drawSigningSecret();
    return withCatalog(parts, async ({ signingKeys }) => {
      const material = (await parts.signingSealer()).seal(secret);
      const overlapMs = Math.round(overlapHours * hourMs);
      const { signingKeyId } = accepted(await signingKeys.rotate(name, material, overlapMs));
      return { json: { signingKeyId, secret }, lines: [secret] };
    });
  },
};
