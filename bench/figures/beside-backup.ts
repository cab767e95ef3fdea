/** Beacons and questions while one backup after another is taken, against the same without. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure, type Measured } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median, percentile } from '../record/percentile.ts';
import {
  type BenchAccount,
  type BenchService,
  collectPath,
  startBenchService,
} from '../stage/bench-service.ts';
import { fillHistories } from '../stage/history.ts';
import { allQuestions, ask } from '../stage/questions.ts';

const videos = 100;
/** What a site with ten thousand viewers at once sends. */
const requestsPerSecond = 333;
const connections = 64;
const asksPerSecond = 10;
/** So that a hundredth of the asks is more than one. */
const leastSeconds = 20;

type Round = Readonly<Record<'beacons' | 'questions' | 'backups', number>>;

export const besideBackup: Figure = {
  name: 'beside-backup',
  async measure({ repetitions, loadSeconds, beacons: [, beacons = 0] }, say) {
    const service = await startBenchService();
    const folder = await mkdtemp(join(tmpdir(), 'playmeter-bench-backups-'));
    try {
      const stage = {
        ...{ service, folder, seconds: Math.max(loadSeconds, leastSeconds) },
        asked: await service.addAccount(1),
        loaded: await service.addAccount(20),
      };
      await fillHistories(service, [{ account: stage.asked, beacons, videos }], say);
      const rounds: Record<'usual' | 'beside', Round[]> = { usual: [], beside: [] };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        rounds.usual.push(await runRound(stage, false));
        rounds.beside.push(await runRound(stage, true));
      }
      const backups = rounds.beside.reduce((sum, round) => sum + round.backups, 0);
      const note =
        `${backups} backups of ${beacons.toLocaleString('en-US')} beacons; ` +
        `${requestsPerSecond} beacons and ${asksPerSecond} questions a second`;
      const p99 = (of: 'beacons' | 'questions', when: 'usual' | 'beside') =>
        median(rounds[when].map((round) => round[of]));
      const compared = (of: 'beacons' | 'questions'): Measured[] => [
        { what: `${of}: p99 beside a backup`, value: p99(of, 'beside'), unit: 'ms', note },
        {
          what: `${of}: p99 beside a backup, times the usual`,
          value: p99(of, 'beside') / p99(of, 'usual'),
          unit: 'x',
          target: atMost(2),
          note: `${p99(of, 'usual').toFixed(1)} ms without`,
        },
      ];
      return { measured: [...compared('beacons'), ...compared('questions')] };
    } finally {
      await service.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Stage {
  readonly service: BenchService;
  readonly folder: string;
  readonly seconds: number;
  readonly asked: BenchAccount;
  readonly loaded: BenchAccount;
}

async function runRound(stage: Stage, isBackingUp: boolean): Promise<Round> {
  const { service, seconds, loaded } = stage;
  const stopping = new AbortController();
  const backing = isBackingUp ? backUp(stage, stopping.signal) : Promise.resolve(0);
  const plan = { port: service.port, path: collectPath, videoKeys: loaded.videoKeys };
  const pace = { beaconsPerRequest: 1, connections, warmSeconds: 2, seconds };
  const loading = sendLoad({ ...plan, ...pace, rate: requestsPerSecond });
  const asking = askAgain(stage);
  const [{ p99Ms, failed }, questions] = await Promise.all([loading, asking]);
  stopping.abort();
  const backups = await backing;
  if (Object.keys(failed).length > 0) throw new Error(`Beacons failed: ${JSON.stringify(failed)}`);
  return { beacons: p99Ms, questions, backups };
}

/** The p99 of all questions, in milliseconds, counted from when each fell due. */
async function askAgain({ service, asked, seconds }: Stage): Promise<number> {
  const times: number[] = [];
  const startedAt = performance.now();
  const asks = seconds * asksPerSecond;
  for (let index = 0; index < asks; index += 1) {
    const dueAt = startedAt + (index * 1_000) / asksPerSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const question = allQuestions[index % allQuestions.length];
    if (question) await ask(service, asked, question);
    times.push(performance.now() - dueAt);
  }
  return percentile(
    times.sort((one, other) => one - other),
    0.99,
  );
}

/** As often as there is time for; how often that was. */
async function backUp({ service, folder }: Stage, stopping: AbortSignal): Promise<number> {
  for (let backups = 0; ; backups += 1) {
    if (stopping.aborted) return backups;
    const place = join(folder, 'one');
    await service.run('backup', place);
    await rm(place, { recursive: true });
  }
}
