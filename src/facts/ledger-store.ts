/** What became of the beacons of each account and day, in the store of the facts. */
import type { FactStore } from './fact-store.ts';
import type { LedgerStore, LedgerSum } from './facts.ts';

export function createLedgerStore(
  store: FactStore,
  requireReady: () => void,
): Pick<LedgerStore, 'write' | 'read'> {
  return {
    async write(rows) {
      requireReady();
      const values = rows.map((row) => [row.accountId, row.day, row.outcome, row.run, row.beacons]);
      await store.insertRows('ledger', values);
    },

    async read({ accountId, firstDay, lastDay }) {
      requireReady();
      // The largest count of each run of a process is its last; merges may still have to come.
      return store.select<LedgerSum>({
        sql: `SELECT toString(day) AS day, outcome, sum(largest) AS beacons FROM (
            SELECT day, outcome, max(beacons) AS largest FROM ledger
            WHERE accountId = {accountId:UInt32}
              AND day BETWEEN {firstDay:Date32} AND {lastDay:Date32}
            GROUP BY day, outcome, run)
          GROUP BY day, outcome ORDER BY day, outcome`,
        parameters: { accountId, firstDay, lastDay },
      });
    },
  };
}
