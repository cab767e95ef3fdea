import type { SigningKey, SigningKeys } from '../catalog/catalog.ts';
import type { Logger } from '../lib/logger.ts';
import type { Sealer } from '../lib/sealer.ts';
import { isReadable } from './signing-keys.ts';

/** Opening as many takes a millisecond. */
const portionSecrets = 100;
const namedLimit = 20;

interface Needs {
  readonly signingKeys: Pick<SigningKeys, 'secretsAfter'>;
  readonly signingSealer: Pick<Sealer, 'open'>;
  readonly logger: Logger;
}

/** Names the signing secrets that another APP_SECRET sealed, at the start: else nobody notices. */
export async function warnOfUnreadableSecrets(needs: Needs): Promise<void> {
  const { signingKeys, signingSealer, logger } = needs;
  const unreadable: SigningKey[] = [];
  for (let last = 0; ; ) {
    const portion = await signingKeys.secretsAfter(last, portionSecrets);
    unreadable.push(...portion.filter((key) => !isReadable(key, signingSealer)));
    last = portion.at(-1)?.signingKeyId ?? last;
    if (portion.length < portionSecrets) break;
  }
  if (unreadable.length === 0) return;
  const named = unreadable.slice(0, namedLimit);
  logger.error(
    {
      secrets: unreadable.length,
      first: named.map(({ accountId, signingKeyId }) => ({ accountId, signingKeyId })),
    },
    'signing secrets cannot be read: APP_SECRET (or the file secret in DATA_DIR) is not the one ' +
      'they were stored under, and tokens signed with them are refused; set the former one ' +
      'again, or replace each with: playmeter signing rotate',
  );
}
