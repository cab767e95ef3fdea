import { writeReceipt } from '../../operations/erasure-receipts.ts';
import { jsonOption, optionalOption } from '../runner/options.ts';
import { showTable } from '../runner/table-text.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const erasureList: Verb = {
  words: 'erasure list',
  summary: 'List what was erased; keep it with --json beside the backups, for a restore',
  options: {
    account: optionalOption('Only of this account; default: all', 'N'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ erasures }) => {
      const all = await erasures.list(given.has('account') ? given.id('account') : undefined);
      const list: object[] = [];
      for (const erasure of all) {
        list.push(writeReceipt(erasure, await erasures.viewsOf(erasure.receipt)));
      }
      const rows = all.map(({ receipt, accountId, at, kind, state, views, facts, ...by }) => [
        ...[receipt, accountId, at.toISOString(), kind, state, views, facts],
        `${by.actor} ${by.actorName}`.trim(),
      ]);
      const header = ['RECEIPT', 'ACCOUNT', 'AT', 'KIND', 'STATE', 'VIEWS', 'FACTS', 'BY'];
      return { json: { list }, lines: showTable(header, rows) };
    }),
};
