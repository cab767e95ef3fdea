import { recordOfShare } from '../../operations/shares.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const shareList: Verb = {
  words: 'share list',
  summary: 'List the links that show a view of the dashboard, expired ones included',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ shares }) => {
      const list = (await shares.list(given.id('account'))).map(recordOfShare);
      const lines = list.map((share) => {
        const { lastDays, sdate, edate, accessKey, expiresAt } = share;
        const days = lastDays === null ? `${sdate} to ${edate}` : `last days: ${lastDays}`;
        const view = accessKey === null ? 'overview' : `video ${accessKey}`;
        const end = expiresAt === null ? 'never expires' : `expires ${expiresAt}`;
        return [share.shareId, share.name, view, days, end].join('\t');
      });
      return { json: { shareList: list }, lines };
    }),
};
