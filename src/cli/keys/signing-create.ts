import { readFile } from 'node:fs/promises';
import { accepted } from '../../operations/refusal-faults.ts';
import { drawSigningSecret, readPublicKey } from '../../operations/signing-keys.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const signingCreate: Verb = {
  words: 'signing create',
  summary: 'Create a secret for signed views, shown only once, or add a public key',
  options: {
    account: accountOption,
    'public-key': optionalOption('PEM file with your own Ed25519 public key', 'FILE'),
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    if (given.has('public-key')) {
      const material = readPublicKey(await readText(given.text('public-key')));
      return withCatalog(parts, async ({ signingKeys }) => {
        const added = await signingKeys.add({ accountId, algorithm: 'EdDSA', material });
        const { signingKeyId } = accepted(added);
        return { json: { signingKeyId }, lines: [`Added signing key ${signingKeyId}`] };
      });
    }
    const secret = drawSigningSecret();
    return withCatalog(parts, async ({ signingKeys }) => {
      const material = (await parts.signingSealer()).seal(secret);
      const added = await signingKeys.add({ accountId, algorithm: 'HS256', material });
      const { signingKeyId } = accepted(added);
      return { json: { signingKeyId, secret }, lines: [secret] };
    });
  },
};

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Fault('NOT_FOUND', `${file} cannot be read`, { cause });
  }
}
