/** `beacons import`, from its start until the last line is durable and summed. */
import { join } from 'node:path';
import { atLeast, type Figure } from '../figure.ts';
import { startBenchService } from '../stage/bench-service.ts';
import { inTurn } from '../stage/contenders.ts';
import { createLimitTable, insertRate } from '../stage/fact-rows.ts';
import { writeHistory } from '../stage/history-file.ts';

const rowsPerBareInsert = 25_000;
const days = 30;

export const beaconsImport: Figure = {
  name: 'beacons-import',
  async measure({ repetitions, importedBeacons, loadSeconds }) {
    const service = await startBenchService();
    try {
      const account = await service.addAccount(20);
      const engine = await service.engine();
      await createLimitTable(engine);
      const file = join(service.dataFolder, 'history.jsonl');
      const importOnce = async (): Promise<number> => {
        await writeHistory(file, account, { beacons: importedBeacons, days });
        const startedAt = performance.now();
        const words = ['beacons', 'import', '--account', String(account.accountId), file];
        const { accepted } = await service.run(...words);
        if (accepted !== importedBeacons) throw new Error(`Accepted ${accepted}`);
        return importedBeacons / ((performance.now() - startedAt) / 1_000);
      };
      const rates = await inTurn(Math.min(3, repetitions), {
        import: importOnce,
        engine: () => insertRate(engine, loadSeconds, rowsPerBareInsert),
      });
      const { import: imported = 0, engine: bare = 0 } = rates;
      const note = `${importedBeacons.toLocaleString('en-US')} beacons, with start of the program`;
      return {
        measured: [
          { what: 'beacons imported', value: imported, unit: 'beacons/s', note },
          { what: 'rows inserted by the bare engine', value: bare, unit: 'rows/s' },
          {
            what: 'share of the bare engine',
            value: imported / bare,
            unit: 'x',
            target: atLeast(0.4),
          },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};
