/**
 * npm run bench -- --cluster: one node, and a node on one, two and three shards, one after the
 * other; at the end the one node again, which shows by how much the machine itself has changed.
 * All of it shares this machine's cores: what it shows is what sharding costs, not what it brings.
 */
import { startPostgres } from '../../test/support/postgres.ts';
import type { Figure, Measured } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median } from '../record/percentile.ts';
import type { Size } from '../size.ts';
import { type BenchCluster, startBenchCluster } from '../stage/bench-cluster.ts';
import { type BenchAccount, collectPath, startBenchService } from '../stage/bench-service.ts';
import { fillHistories } from '../stage/history.ts';
import { type AskedTimes, askAll, dayOf, timesOf } from '../stage/questions.ts';

const videos = 100;
const connections = 256;
const kinds = [
  { name: 'single beacons', beaconsPerRequest: 1 },
  { name: 'batches of 100', beaconsPerRequest: 100 },
];

type Contender = Omit<BenchCluster, 'fill'> & {
  fill(of: { account: BenchAccount; beacons: number; videos: number }, say: Say): Promise<void>;
};
type Say = (line: string) => void;

export const cluster: Figure = {
  name: 'cluster',
  async measure(size, say) {
    const postgres = await startPostgres();
    const contenders: [string, () => Promise<Contender>][] = [
      ['one node', startNode],
      ...[1, 2, 3].map((count): [string, () => Promise<Contender>] => [
        `${count} ${count === 1 ? 'shard' : 'shards'}`,
        () => startBenchCluster(count, postgres),
      ]),
      ['one node, again', startNode],
    ];
    const measured: Measured[] = [];
    try {
      for (const [name, start] of contenders) {
        const contender = await start();
        try {
          measured.push(...(await measureOne(contender, name, size, say)));
        } finally {
          await contender.remove();
        }
      }
    } finally {
      await postgres.stop();
    }
    return { measured };
  },
};

async function startNode(): Promise<Contender> {
  const service = await startBenchService();
  return {
    url: service.url,
    port: service.port,
    addAccount: service.addAccount,
    fill: (history, say) => fillHistories(service, [history], say),
    factsByShard: async () => [
      await (await service.engine()).number('SELECT count() FROM stretch'),
    ],
    processorTime: service.processorTime,
    remove: service.remove,
  };
}

async function measureOne(
  contender: Contender,
  name: string,
  size: Size,
  say: Say,
): Promise<Measured[]> {
  const beacons = size.beacons[1] ?? 0;
  const account = await contender.addAccount(videos);
  const measured: Measured[] = [];
  const add = (what: string, value: number, unit: string, note = '') =>
    void measured.push({ what: `${name}: ${what}`, value, unit, ...(note && { note }) });
  for (const { name: kind, beaconsPerRequest } of kinds) {
    const runs = await insertRates(contender, account, beaconsPerRequest, size);
    add(kind, runs.rate, 'beacons/s');
    add(`${kind}, acknowledgement: p50`, runs.p50Ms, 'ms');
    add(`${kind}, acknowledgement: p99`, runs.p99Ms, 'ms');
    add(`${kind}: service`, runs.serviceUs, 'us/beacon');
    add(`${kind}: engines`, runs.engineUs, 'us/beacon');
  }
  say(`${name}: beacons sent`);
  const asked = await contender.addAccount(1);
  await contender.fill({ account: asked, beacons, videos }, say);
  const note = `${beacons.toLocaleString('en-US')} beacons of one account in a year`;
  for (const [what, { p50Ms, p95Ms }] of Object.entries(
    await askAll(contender, asked, size.asksPerQuestion),
  )) {
    if (!what.endsWith(', account')) continue;
    add(`${what}: p50`, p50Ms, 'ms', note);
    add(`${what}: p95`, p95Ms, 'ms', note);
  }
  const fromFacts = await askFacts(contender, asked, size.asksPerQuestion);
  add('viewers by country over 30 days, from facts: p50', fromFacts.p50Ms, 'ms', note);
  add('viewers by country over 30 days, from facts: p95', fromFacts.p95Ms, 'ms', note);
  const facts = await contender.factsByShard();
  const all = facts.reduce((sum, count) => sum + count, 0);
  add('facts on the fullest shard', (100 * Math.max(...facts)) / all, '%', `of ${all}`);
  say(`${name}: asked`);
  return measured;
}

async function insertRates(
  contender: Contender,
  { videoKeys }: BenchAccount,
  beaconsPerRequest: number,
  { repetitions, loadSeconds: seconds }: Size,
) {
  const runs: Record<'rate' | 'p50Ms' | 'p99Ms' | 'serviceUs' | 'engineUs', number>[] = [];
  for (let run = 0; run < repetitions; run += 1) {
    const before = contender.processorTime();
    const { port } = contender;
    const plan = { port, path: collectPath, videoKeys, connections, beaconsPerRequest, seconds };
    const outcome = await sendLoad({ ...plan, warmSeconds: 0 });
    const after = contender.processorTime();
    const beacons = outcome.acknowledged * beaconsPerRequest;
    runs.push({
      rate: outcome.beaconsPerSecond,
      p50Ms: outcome.p50Ms,
      p99Ms: outcome.p99Ms,
      serviceUs: ((after.service - before.service) / beacons) * 1e6,
      engineUs: ((after.engine - before.engine) / beacons) * 1e6,
    });
  }
  const of = (name: keyof (typeof runs)[number]) => median(runs.map((run) => run[name]));
  return {
    rate: of('rate'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    serviceUs: of('serviceUs'),
    engineUs: of('engineUs'),
  };
}

/** Which every shard answers from its own facts. */
async function askFacts(
  { url }: Contender,
  { key }: BenchAccount,
  times: number,
): Promise<AskedTimes> {
  const query = new URLSearchParams({
    ...{ sdate: dayOf(180), edate: dayOf(209), measures: 'views,viewers', dimensions: 'country' },
  });
  const taken: number[] = [];
  for (let round = 0; round <= times; round += 1) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/report/statistics/video/v2/query?${query}`, {
      headers: { 'x-api-key': key },
    });
    const { data } = (await answer.json()) as { data?: { list: unknown[] } };
    if (!data || data.list.length === 0) throw new Error(`No answer: ${answer.status}`);
    if (round > 0) taken.push(performance.now() - startedAt);
  }
  return timesOf(taken);
}
