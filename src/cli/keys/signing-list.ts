import { signingKeyRecordOf } from '../../operations/signing-keys.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const signingList: Verb = {
  words: 'signing list',
  summary: 'List the signing keys of an account, without their secrets',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ signingKeys }) => {
      const keys = await signingKeys.list(given.id('account'));
      const sealer = await parts.signingSealer();
      const signingKeyList = keys.map((key) => signingKeyRecordOf(key, sealer));
      const lines = signingKeyList.map(({ signingKeyId, algorithm, expiresAt, isReadable }) =>
        [
          signingKeyId,
          algorithm,
          expiresAt === null ? '' : `expires ${expiresAt}`,
          isReadable ? '' : 'unreadable: APP_SECRET was changed; see signing rotate',
        ]
          .join('\t')
          .trimEnd(),
      );
      return { json: { signingKeyList }, lines };
    }),
};
