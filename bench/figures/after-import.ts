/** Questions by operating system: how long they take after a year was imported, and settled. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { percentile } from '../record/percentile.ts';
import { type BenchAccount, type BenchService, startBenchService } from '../stage/bench-service.ts';
import { writeHistory } from '../stage/history-file.ts';

const days = 365;
const settlingMs = 30_000;
const pauseMs = 100;

export const afterImport: Figure = {
  name: 'after-import',
  async measure({ yearOfBeacons }) {
    const service = await startBenchService();
    try {
      const account = await service.addAccount(20);
      const file = join(service.dataFolder, 'year.jsonl');
      await writeHistory(file, account, { beacons: yearOfBeacons, days });
      const words = ['beacons', 'import', '--account', String(account.accountId), file];
      const { accepted } = await service.run(...words);
      if (accepted !== yearOfBeacons) throw new Error(`Accepted ${accepted}`);

      const atOnce = await askFor(service, account, settlingMs);
      const settled = await askFor(service, account, settlingMs);
      const note = `${yearOfBeacons.toLocaleString('en-US')} plays over a year, by system`;
      const rowOf = (what: string, times: readonly number[]) =>
        [0.5, 0.95].map((share) => ({
          what: `${what}: p${100 * share}`,
          value: percentile(times, share),
          unit: 'ms',
          note,
        }));
      return {
        measured: [
          ...rowOf('question in the first 30 s after an import', atOnce),
          ...rowOf('the same question in the next 30 s', settled),
          {
            what: 'the first of the next, p50',
            value: percentile(atOnce, 0.5) / percentile(settled, 0.5),
            unit: 'x',
            target: atMost(2),
          },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

/** Milliseconds of each question, ascending. */
async function askFor(service: BenchService, account: BenchAccount, forMs: number) {
  const day = (agoDays: number) =>
    new Date(Date.now() - agoDays * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(days), edate: day(0) });
  const address = `${service.url}/report/statistics/video/v1/os?${query}`;
  const times: number[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < forMs) {
    const askedAt = performance.now();
    const answer = await fetch(address, { headers: { 'x-api-key': account.key } });
    if (!answer.ok) throw new Error(`Answered ${answer.status}`);
    await answer.arrayBuffer();
    times.push(performance.now() - askedAt);
    await sleep(pauseMs);
  }
  return times.sort((one, other) => one - other);
}
