import type { Key } from '../../catalog/catalog.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const keyList: Verb = {
  words: 'key list',
  summary: 'List the API keys of an account, without their secrets',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const keyList = await catalog.keys.list(given.id('account'));
      return { json: { keyList }, lines: keyList.map(describe) };
    }),
};

function describe({ keyId, prefix, name, scopes, ...at }: Key): string {
  const states = [
    at.lastUsedAt ? `used ${at.lastUsedAt.toISOString()}` : 'never used',
    ...(at.revokedAt ? [`revoked ${at.revokedAt.toISOString()}`] : []),
    ...(at.expiresAt ? [`expires ${at.expiresAt.toISOString()}`] : []),
  ];
  return [keyId, `${prefix}...`, name, scopes.join(','), states.join(', ')].join('\t');
}
