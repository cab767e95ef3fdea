import type { FastifyInstance } from 'fastify';
import type { AccountLedger } from '../../collect/account-ledger.ts';
import type { LedgerStore, LedgerSum } from '../../facts/facts.ts';
import { checkRange } from '../../report/read-question.ts';
import { type RefusalReason, refusalReasons } from '../../wire/beacon.ts';
import { Ledger, type LedgerDay, LedgerRequest } from '../../wire/ledger.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';

export interface LedgerParts extends ManageParts {
  readonly facts: { readonly ledger: Pick<LedgerStore, 'read'> };
  readonly accounts: Pick<AccountLedger, 'write'>;
}

export function addLedgerRoutes(app: FastifyInstance, parts: LedgerParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url: '/manage/v1/ledger',
      operationId: 'ledger',
      summary: 'What became of every beacon, by day',
      description:
        'For every acknowledged request, each of its beacons stands here once, as counted or as ' +
        'refused for a reason. A beacon that was sent twice was received twice; statistics count ' +
        'it once. What was answered with `503` or `429`, and beacons that name no video of ' +
        'anyone, are in `/metrics` only. Days are those of UTC, by the clock of the service. ' +
        'Counts are written once a second: other nodes show them after that, and a killed ' +
        'process takes those of its last second with it; the statistics lose nothing.',
      query: LedgerRequest,
      answers: { 200: Ledger },
    },
    async ({ caller: { accountId }, query: { sdate: firstDay, edate: lastDay } }) => {
      const errors = checkRange(firstDay, lastDay);
      if (errors.length > 0) throw parameterFault(errors);
      // What this node has counted since its last turn of writing belongs to the answer.
      await parts.accounts.write();
      const sums = await parts.facts.ledger.read({ accountId, firstDay, lastDay });
      const days = Map.groupBy(sums, ({ day }) => day);
      const list = [...days].map(([date, outcomes]) => ledgerDayOf(date, outcomes));
      return { status: 200, body: { list } };
    },
  );
}

function ledgerDayOf(date: string, outcomes: readonly LedgerSum[]): LedgerDay {
  const beaconsOf = (code: string) =>
    outcomes.find(({ outcome }) => outcome === code)?.beacons ?? 0;
  const reasons = Object.keys(refusalReasons) as RefusalReason[];
  const counted = beaconsOf('COUNTED');
  const refused = Object.fromEntries(reasons.map((reason) => [reason, beaconsOf(reason)]));
  const received = Object.values(refused).reduce((sum, beacons) => sum + beacons, counted);
  return { date, received, counted, refused };
}
