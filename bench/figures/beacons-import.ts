/** `beacons import`, from its start until the last line is durable and summed. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { atLeast, type Figure } from '../figure.ts';
import { type BenchAccount, startBenchService } from '../stage/bench-service.ts';
import { inTurn } from '../stage/contenders.ts';
import { createLimitTable, insertRate } from '../stage/fact-rows.ts';

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
        await writeHistory(file, account, importedBeacons);
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

async function writeHistory(file: string, account: BenchAccount, beacons: number): Promise<void> {
  const nowMs = Date.now();
  function* lines(): Generator<string> {
    for (let index = 0; index < beacons; index += 1) {
      const agoMs = ((index + 1) / beacons) * days * 86_400_000;
      const beacon = {
        view: randomUUID(),
        stretch: 0,
        at: new Date(nowMs - agoMs - 600_000).toISOString(),
        playMs: 1_000 + (index % 599_000),
        videoKey: account.videoKeys[index % account.videoKeys.length],
        userAgent: `Mozilla/5.0 (Linux; Android ${10 + (index % 6)}; Pixel ${index % 9})`,
      };
      yield `${JSON.stringify(beacon)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
}
