import { signingKeyRecordOf } from '../managing/signing-keys.ts';
import { accountOption, jsonOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

export const signingList: Verb = {
  words: 'signing list',
  summary: 'List the signing keys of an account, without their secrets',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ signingKeys }) => {
      const signingKeyList = (await signingKeys.list(given.id('account'))).map(signingKeyRecordOf);
      const lines = signingKeyList.map(({ signingKeyId, algorithm, expiresAt }) =>
        [signingKeyId, algorithm, expiresAt === null ? '' : `expires ${expiresAt}`]
          .join('\t')
          .trimEnd(),
      );
      return { json: { signingKeyList }, lines };
    }),
};
