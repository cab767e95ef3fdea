/** Questions by operating system: how long they take after a year was imported, and settled. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { percentile } from '../record/percentile.ts';
import { type BenchAccount, type BenchService, startBenchService } from '../stage/bench-service.ts';
import { writeHistory } from '../stage/history-file.ts';

const days = 365;
const settlingMs = 30_000;
const giveUpMs = 300_000;
const pollMs = 1_000;
const pauseMs = 100;

const shares = [0.5, 0.95];

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

      const [atOnce, settledAfter] = await Promise.all([
        askFor(service, account, settlingMs),
        untilSettled(service, account, yearOfBeacons),
      ]);
      const usual = await askFor(service, account, settlingMs);
      const note = `${yearOfBeacons.toLocaleString('en-US')} plays over a year, by system`;
      const rowOf = (what: string, times: readonly number[]) =>
        shares.map((share) => ({
          what: `${what}: p${100 * share}`,
          value: percentile(times, share),
          unit: 'ms',
          note,
        }));
      return {
        measured: [
          ...rowOf('question in the first 30 s after an import', atOnce),
          ...rowOf('the same question once all is settled', usual),
          ...shares.map((share) => ({
            what: `the first of the second, p${100 * share}`,
            value: percentile(atOnce, share) / percentile(usual, share),
            unit: 'x',
            target: atMost(2),
          })),
          { what: 'settled after an import', value: settledAfter, unit: 's', target: atMost(30) },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

/** Seconds until the sums by day hold the whole year. Until then questions read its slots. */
async function untilSettled(service: BenchService, { accountId }: BenchAccount, plays: number) {
  const startedAt = performance.now();
  const engine = await service.engine();
  const settledPlays = `SELECT sum(plays) FROM playback_sum FINAL
    WHERE accountId = ${accountId} AND grouping = 'account-os-day'`;
  while ((await engine.number(settledPlays)) < plays) {
    if (performance.now() - startedAt > giveUpMs) throw new Error('Never settled');
    await sleep(pollMs);
  }
  return (performance.now() - startedAt) / 1_000;
}

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
