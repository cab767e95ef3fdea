import { accepted } from '../../operations/refusal-faults.ts';
import { scopes as knownScopes, type Scope } from '../../vocabulary/scopes.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { readLastDay } from '../runner/last-day.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const keyCreate: Verb = {
  words: 'key create',
  summary: 'Create an API key; it is shown only once',
  options: {
    account: accountOption,
    name: optionalOption('Name to recognize the key by', 'NAME'),
    scopes: requiredOption(`What it may do, separated by commas: ${knownScopes.join(', ')}`, 'A,B'),
    expires: optionalOption(
      'Last day (UTC) on which it works, or the instant at which it expires',
      'DATE',
    ),
    json: jsonOption,
  },
  async run(given, parts) {
    const scopes = readScopes(given.text('scopes'));
    const expiresAt = given.has('expires') ? readLastDay(given.text('expires')) : undefined;
    const accountId = given.id('account');
    const name = given.text('name');
    return withCatalog(parts, async (catalog) => {
      const { secret } = accepted(
        await catalog.keys.create({ accountId, name, scopes, expiresAt }),
      );
      return { json: { key: secret }, lines: [secret] };
    });
  },
};

function readScopes(text: string): Scope[] {
  const given = new Set(text.split(',').map((scope) => scope.trim()));
  const scopes = knownScopes.filter((scope) => given.has(scope));
  if (scopes.length === given.size) return scopes;
  throw new WrongUsage(`--scopes must be some of ${knownScopes.join(', ')}, separated by commas`);
}
