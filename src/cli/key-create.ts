import { parseInstant } from '../lib/instant.ts';
import { accepted } from '../managing/accepted.ts';
import { scopes as knownScopes, type Scope } from '../wire/scopes.ts';
import { WrongUsage } from './arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './options.ts';
import type { Verb } from './verb.ts';
import { withCatalog } from './with-catalog.ts';

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
    const expiresAt = given.has('expires') ? readExpiry(given.text('expires')) : undefined;
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

/** A date includes the whole day: with 2026-12-31 the key works all through New Year's Eve. */
function readExpiry(text: string): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instantMs = parseInstant(isDay ? `${text}T23:59:59.999Z` : text);
  if (instantMs === undefined) {
    throw new WrongUsage('--expires must be a day such as 2026-12-31, or an RFC 3339 instant');
  }
  return new Date(instantMs);
}
