import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const shareRevoke: Verb = {
  words: 'share revoke',
  summary: 'Revoke a link to a view of the dashboard; a running service follows within a second',
  options: {
    account: accountOption,
    share: requiredOption('Share id', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ shares }) => {
      const shareId = given.id('share');
      accepted(await shares.revoke({ accountId: given.id('account'), shareId }));
      return { json: { shareId }, lines: [`Revoked share ${shareId}`] };
    }),
};
