/** The outcomes of the beacons of each account and day, in the store of the facts. */
import type { FactStore } from '../client/store-client.ts';
import type { LedgerStore, LedgerSum } from '../facts.ts';
import { tables } from '../tables/schema.ts';

export function createLedgerStore(
  store: FactStore,
  requireReady: () => void,
): Pick<LedgerStore, 'write' | 'read'> {
  return {
    async write(rows) {
      requireReady();
      const values = rows.map((row) => [row.accountId, row.day, row.outcome, row.run, row.beacons]);
      await store.insertRows(tables.ledger.name, values);
    },

    async read({ accountId, firstDay, lastDay }) {
      requireReady();
      // The largest count of each run of a process is its last; parts may not be merged yet.
      return store.select<LedgerSum>({
        name: 'read ledger',
        sql: `SELECT toString(day) AS day, outcome, sum(largest) AS beacons FROM (
            SELECT day, outcome, max(beacons) AS largest FROM ${tables.ledger.name}
            WHERE accountId = {accountId:UInt32}
              AND day BETWEEN {firstDay:Date32} AND {lastDay:Date32}
            GROUP BY day, outcome, run)
          GROUP BY day, outcome ORDER BY day, outcome`,
        parameters: { accountId, firstDay, lastDay },
      });
    },
  };
}
