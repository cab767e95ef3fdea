/** Many accounts that each play a little: created from a list, loaded, counted, started again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { atMost, type Figure } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median, percentile } from '../record/percentile.ts';
import {
  type BenchAccount,
  type BenchService,
  collectPath,
  furnishAccount,
  startBenchService,
} from '../stage/bench-service.ts';
import { playsOf, probeVisibility, secondsOf } from '../stage/probe-visibility.ts';
import { timesOf } from '../stage/questions.ts';
import { mostUntil } from './memory.ts';
import { startOnce } from './start.ts';

const beaconsPerSecond = 443;
const restMs = 15_000;
const askEveryMs = 250;
/** How long ago the playback of a probe began. */
const agoMs = () => 20_000;

export const manyAccounts: Figure = {
  name: 'many-accounts',
  async measure({ manyAccounts: count, repetitions, loadSeconds, visibilityProbes }, say) {
    const service = await startBenchService();
    try {
      const { accountIds, seconds: createSeconds } = await createFromList(service, count);
      const accounts = await furnish(service, accountIds);
      say(`${count} accounts with a video each`);
      const probed = await service.addAccount(1);
      // A viewer of each account, with a connection of its own.
      const loading = sendLoad({
        port: service.port,
        path: collectPath,
        videoKeys: accounts.flatMap(({ videoKeys }) => videoKeys),
        beaconsPerRequest: 1,
        connections: count,
        warmSeconds: 0,
        seconds: Math.max(4 * loadSeconds, secondsOf(visibilityProbes)),
        rate: beaconsPerSecond,
      });
      const asking = askUntil(service, accounts, loading);
      const measuringMemory = mostUntil(service, loading);
      const visibleMs = await probeVisibility({
        ...{ service, account: probed, probes: visibilityProbes, agoMs, daysAsked: 1 },
      });
      const { p50Ms, p99Ms, failed, acknowledged } = await loading;
      const [asked, mostMb] = await Promise.all([asking, measuringMemory]);
      await sleep(restMs);
      const atRestMb = service.residentMb();
      const played = await playsOfAll(service, accounts);
      await service.stop();
      const starts: number[] = [];
      for (let run = 0; run < Math.max(3, repetitions); run += 1) {
        starts.push(await startOnce(service.dataFolder));
      }
      const load = `${count} accounts, ${beaconsPerSecond} beacons/s`;
      const failures = Object.keys(failed).length > 0 ? `; failed: ${JSON.stringify(failed)}` : '';
      return {
        measured: [
          of('accounts created from a list', createSeconds, 's', 10, `${count} accounts`),
          of('acknowledgement p50', p50Ms, 'ms', 60, load + failures),
          of('acknowledgement p99', p99Ms, 'ms', 250, load + failures),
          of('acknowledgement to visible p95', percentile(visibleMs, 0.95), 'ms', 2_000, load),
          { what: 'a question of two days p50', value: asked.p50Ms, unit: 'ms', note: load },
          { what: 'a question of two days p95', value: asked.p95Ms, unit: 'ms', note: load },
          of(
            'plays counted and not acknowledged, or the reverse',
            Math.abs(played - acknowledged),
            'plays',
            0,
            `of ${acknowledged}, by the answers to all accounts`,
          ),
          of('memory under this load, the most', mostMb, 'MB', 1_536, load),
          of('memory at rest', atRestMb, 'MB', 450, `${restMs / 1_000} s after that load`),
          of('npm start to ready', median(starts), 's', 2, `${count} accounts; npm included`),
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

function of(what: string, value: number, unit: string, most: number, note: string) {
  return { what, value, unit, target: atMost(most), note };
}

/** By the command line, its start included. */
async function createFromList(service: BenchService, count: number) {
  const file = join(service.dataFolder, 'accounts.csv');
  const rows = Array.from({ length: count }, (_, index) => `Account ${index + 1}`);
  await writeFile(file, ['name', ...rows].join('\n'));
  const startedAt = performance.now();
  const { accountList } = await service.run('account', 'create', '--csv', file);
  const seconds = (performance.now() - startedAt) / 1_000;
  const accountIds = (accountList as { accountId: number }[]).map(({ accountId }) => accountId);
  return { accountIds, seconds };
}

async function furnish(service: BenchService, accountIds: readonly number[]) {
  const catalog = await openCatalog({ location: service.catalog, clock: systemClock });
  try {
    const accounts: BenchAccount[] = [];
    for (const accountId of accountIds) {
      accounts.push(await furnishAccount(catalog, accountId, { videos: 1, folders: 1 }));
    }
    return accounts;
  } finally {
    await catalog.close();
  }
}

/** Another account each time. */
async function askUntil(
  service: BenchService,
  accounts: readonly BenchAccount[],
  done: Promise<unknown>,
) {
  let isRunning = true;
  const finished = done.finally(() => {
    isRunning = false;
  });
  const times: number[] = [];
  for (let asked = 0; isRunning; asked += 1) {
    const startedAt = performance.now();
    await playsOf(service, accounts[(asked * 7) % accounts.length] as BenchAccount, 1);
    times.push(performance.now() - startedAt);
    await Promise.race([sleep(askEveryMs), finished]);
  }
  return timesOf(times);
}

async function playsOfAll(service: BenchService, accounts: readonly BenchAccount[]) {
  let plays = 0;
  for (const account of accounts) plays += await playsOf(service, account, 1);
  return plays;
}
